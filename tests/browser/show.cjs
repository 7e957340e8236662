// A small show, made up: tests/fixtures/between-tides with its sound, and a server for what is built of it.
//
//   node tests/browser/show.cjs <feedwright> <folder>
//
// builds it into a folder, with items of every kind.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { silence } = require("./common.cjs");

const fixtures = path.join(__dirname, "../fixtures");
const types = {
  ".css": "text/css", ".html": "text/html", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json", ".pdf": "application/pdf",
  ".mp4": "video/mp4", ".png": "image/png", ".svg": "image/svg+xml", ".vtt": "text/vtt", ".wav": "audio/wav", ".webp": "image/webp", ".xml": "text/xml",
};

// Builds the show with a theme, and answers the output folder. `change` is called with a copy of the sources before.
const build = (feedwright, theme, change = () => {}) => {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "feedwright-show-"));
  process.on("exit", () => fs.rmSync(temporary, { recursive: true, force: true }));
  const site = path.join(temporary, "site");
  const out = path.join(temporary, "out");
  fs.cpSync(path.join(fixtures, "between-tides"), site, { recursive: true });
  fs.writeFileSync(path.join(site, "site.toml"), `theme = "${theme}"\n${fs.readFileSync(path.join(site, "site.toml"), "utf8")}`);
  const items = path.join(site, "content/items");
  for (const name of fs.readdirSync(items)) {
    if (fs.existsSync(path.join(items, name, "cover.svg"))) fs.writeFileSync(path.join(items, name, `${name}.wav`), silence(1500));
  }
  change(site);
  const built = spawnSync(feedwright, ["build", "--site", site, "--out", out], { encoding: "utf8", env: { ...process.env, SOURCE_DATE_EPOCH: "1776600000" } });
  assert.equal(built.status, 0, built.stderr ?? String(built.error));
  return out;
};

// The items of other kinds come from the site that has one of each.
const withOtherKinds = (site) => {
  const from = path.join(fixtures, "small-site/content/items");
  for (const name of ["photo", "film", "paper", "arabic.md", "hostile.md"]) {
    fs.cpSync(path.join(from, name), path.join(site, "content/items", name), { recursive: true });
  }
  for (const [name, slug] of [["hostile.md", "hostile"], ["arabic.md", "arabic"], ["photo/index.md", "photo"], ["film/index.md", "film"], ["paper/index.md", "paper"]]) {
    const file = path.join(site, "content/items", name);
    const lines = fs.readFileSync(file, "utf8").split("\n").filter((line) => !line.startsWith("slug = "));
    fs.writeFileSync(file, lines.join("\n").replace(/^\+\+\+\n/, `+++\nslug = "${slug}"\n`));
  }
};

// Serves a folder on 127.0.0.1, with byte ranges, and with these headers on all it answers.
const serve = async (folder, headers = {}) => {
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const asked = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    const found = fs.existsSync(asked);
    const file = found ? asked : path.join(folder, "404.html");
    const body = fs.readFileSync(file);
    const all = { ...headers, "content-type": types[path.extname(file)] ?? "application/octet-stream" };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range);
    if (!range) return response.writeHead(found ? 200 : 404, { ...all, "content-length": body.length }).end(body);
    const [from, to] = [Number(range[1]), range[2] ? Number(range[2]) : body.length - 1];
    response.writeHead(206, { ...all, "content-range": `bytes ${from}-${to}/${body.length}` }).end(body.subarray(from, to + 1));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://127.0.0.1:${server.address().port}`, close };
};

module.exports = { build, fixtures, serve, withOtherKinds };

if (require.main === module) {
  const [feedwright, folder] = process.argv.slice(2);
  fs.cpSync(build(feedwright, "default", withOtherKinds), folder, { recursive: true });
}
