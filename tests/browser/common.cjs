// What the tests of pages in a browser share.
"use strict";

const fs = require("node:fs");

// The text of axe-core, where it is installed.
const axe = (() => {
  try {
    return fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  } catch {}
})();

// Silence, as WAV: ten minutes, or so many seconds.
const silence = (seconds = 600) => {
  const rate = 4000;
  const samples = seconds * rate;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
};

module.exports = { axe, silence };
