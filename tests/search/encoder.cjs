// Writes an index by the format's description, to check the browser's reader against: small and slow.
"use strict";

const crypto = require("node:crypto");
const zlib = require("node:zlib");

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const cut = (text) => [...text].slice(0, 64).join("");

// The tokens of a text, by the rules of crates/search/src/static_index/words.rs.
const tokens = ({ runs, fold }, text) => {
  const composed = text.normalize("NFC");
  const found = [];
  for (const { at, end, text: whole, run } of runs(composed)) {
    if (!run) {
      const folded = fold(whole);
      const spelling = whole.toLowerCase().replace(/ς/g, "σ").replace(/[\xAD\u200C\u200D\u2060\uFE00-\uFE0F]/g, "");
      found.push({ token: cut(folded), spelling: spelling.normalize("NFD") === folded ? undefined : spelling });
      continue;
    }
    const letters = [...run];
    const letter = /[\p{Alphabetic}\p{N}]/u;
    const before = [...composed.slice(0, at)].at(-1);
    const after = [...composed.slice(end)][0];
    const has = (one) => one && letter.test(one);
    if (has(before)) found.push({ token: letters[0] + [...before.toLowerCase()].at(-1) });
    letters.slice(1).forEach((letter, n) => found.push({ token: letters[n] + letter }));
    found.push({ token: has(after) ? letters.at(-1) + [...after.toLowerCase()][0] : letters.at(-1) });
    if (!has(after)) continue;
  }
  return found;
};

// A unit's words: how often, whether in the title.
const words = (script, title, contents, withBeginnings) => {
  const found = new Map();
  const add = (token, count, inTitle) => {
    const known = found.get(token) ?? { count: 0, inTitle: false };
    found.set(token, { count: known.count + count, inTitle: known.inTitle || inTitle });
  };
  const spelledOtherwise = new Map();
  const read = (text, inTitle) => {
    for (const { token, spelling } of tokens(script, text)) {
      add(token, 1, inTitle);
      const isAll = spelledOtherwise.get(token) ?? true;
      spelledOtherwise.set(token, isAll && spelling !== undefined);
      if (spelling !== undefined) add(cut(`\x82${spelling}`), 1, inTitle);
    }
  };
  read(title, true);
  contents.forEach((text) => read(text, false));
  for (const [token, isAll] of spelledOtherwise) {
    const { count, inTitle } = found.get(token);
    if (isAll) add(`\x83${token}`, 1, inTitle);
    const letters = [...token];
    const isDense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(letters[0]);
    if (withBeginnings && !isDense) for (const n of [1, 2]) if (letters.length > n) add(`\x81${letters.slice(0, n).join("")}`, count, inTitle);
  }
  return found;
};

const weight = ({ count, inTitle }) => (inTitle ? "111" : count > 3 ? "110" : count > 1 ? "10" : "0");

const varint = (number) => {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return [...bytes, number];
};

const list = (postings, k) => {
  if (!postings.length) return [];
  let bits = "";
  let last = -1;
  for (const [number, weight] of postings) {
    const gap = number - last - 1;
    last = number;
    bits += "1".repeat(gap >> k) + "0" + (k ? (gap % 2 ** k).toString(2).padStart(k, "0") : "") + weight;
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  return [k, ...bits.match(/.{8}/g).map((byte) => parseInt(byte, 2))];
};

// `documents` are { title, path, kind, date, content, text, to, transcripts: [{ address, format, passages: [{ time, text, bytes }] }] }.
// Answers the files by path from the site's base.
exports.encode = (script, documents, { perListing = 3, perShard = 40, k = 1, version = 1 } = {}) => {
  const files = new Map();
  const put = (content) => {
    const bytes = Buffer.from(content);
    const digits = crypto.createHash("sha256").update(bytes).digest();
    const name = [...digits.subarray(0, 8)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte % 32]).join("");
    files.set(`search/index/shards/${name}.bin`, zlib.deflateRawSync(bytes));
    return name;
  };
  const all = new Map();
  const posting = (token, kind, number, weight) => {
    if (!all.has(token)) all.set(token, [[], []]);
    all.get(token)[kind].push([number, weight]);
  };
  const titles = new Map();
  const passages = [];
  let passage = 0;
  let before = -1;
  documents.forEach(({ title, content, transcripts = [] }, number) => {
    for (const [token, found] of words(script, title, content, true)) posting(token, 0, number, weight(found));
    const said = transcripts.flatMap(({ passages }) => passages);
    if (said.length) passages.push(number - before, said.length);
    if (said.length) before = number;
    for (const { text } of said) {
      for (const token of words(script, "", [text], false).keys()) posting(token, 1, passage, "");
      passage += 1;
    }
    for (const { run, word } of script.runs(title.normalize("NFC"))) {
      const length = [...word].length;
      if (run || length < 4 || /\p{N}/u.test(word)) continue;
      const of = Math.min(length, 20);
      titles.set(of, (titles.get(of) ?? new Set()).add(word));
    }
  });
  const sorted = [...all.keys()].sort(compare);
  const entry = { version, documents: documents.length, perListing, listings: "", words: [], wordShards: "", titles: {}, passages };
  const mark = (token) => /^[\x80-\x9f]?/.exec(token)[0];
  for (let at = 0, end; at < sorted.length; at = end) {
    const bytes = [];
    let last = Buffer.alloc(0);
    end = at + 1;
    while (end < sorted.length && end < at + perShard && mark(sorted[end]) === mark(sorted[at])) end += 1;
    for (const token of sorted.slice(at, end)) {
      const [own, said] = all.get(token);
      const utf8 = Buffer.from(token);
      let shared = 0;
      while (shared < Math.min(last.length, utf8.length) && last[shared] === utf8[shared]) shared += 1;
      const lists = [...list(own, k), ...list(said, k)];
      bytes.push(...varint(shared), ...varint(utf8.length - shared), ...utf8.subarray(shared));
      bytes.push(...varint(own.length), ...varint(said.length), ...varint(lists.length), ...lists);
      last = utf8;
    }
    entry.words.push(sorted[at]);
    entry.wordShards += put(bytes);
  }
  for (let at = 0; at < documents.length; at += perListing) {
    const rows = documents.slice(at, at + perListing).map(({ title, path, kind = 0, date = null, text = null, to = null, transcripts = [] }) => {
      const lists = transcripts.map(({ address, format, passages }) => {
        let bytes = 0;
        let time = 0;
        const numbers = passages.flatMap((passage) => {
          const pair = [passage.time < 0 ? -1 : passage.time - time, passage.bytes - bytes];
          [time, bytes] = [passage.time, passage.bytes];
          return pair;
        });
        return [address, format, numbers];
      });
      const row = [title, path, kind, date, text, to, lists.length ? lists : null];
      while (row.at(-1) === null) row.pop();
      return row;
    });
    entry.listings += put(JSON.stringify(rows));
  }
  for (const [length, known] of titles) entry.titles[length] = put([...known].sort(compare).join("\n"));
  files.set("search/index/entry.bin", zlib.deflateRawSync(JSON.stringify(entry)));
  return files;
};
