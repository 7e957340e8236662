// The browser's search without a browser: `node --test tests/search/`.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const zlib = require("node:zlib");
const { encode } = require("./encoder.cjs");
const { script } = require("./script.cjs");

const base = "https://example.com/blog/";
const transcript = `WEBVTT

1
00:00:00.000 --> 00:00:04.000
<v Ada>Welcome to the tide &amp; moon show.

2
00:00:04.000 --> 00:00:08.000
Today we talk about moon

3
00:01:23.500 --> 00:01:30.000
phases and the late tide.

4
00:02:00.000 --> 00:02:05.000
Grüße aus 東京都庁.
`;
const byte = (text) => Buffer.from(transcript.slice(0, transcript.indexOf(text))).length;
const spoken = [
  { time: 0, bytes: 0, text: "Welcome to the tide & moon show. Today we talk about moon" },
  { time: 83.5, bytes: byte("3\n00:01"), text: "phases and the late tide." },
  { time: 120, bytes: byte("4\n00:02"), text: "Grüße aus 東京都庁." },
];

const document = (id, title, text, more = {}) => ({ id, title, path: `i/${id}/`, content: [text], text: `i/${id}/item.json`, ...more });
const corpus = [
  { ...document("about", "About this site", "Who writes here."), kind: 1, path: "about/", text: null },
  document("cafe-plain", "A cafe", "Open late."),
  document("cafe", "Le café", "Ouvert tard. E-mail us."),
  document("kubernetes", "Kubernetes in practice", "Pods and nodes."),
  document("docker", "Docker notes", "Containers, and Kubernetes besides."),
  document("tower", "東京タワー", "東京の塔です。Rust言語を学ぶ。"),
  document("kyoto", "京都", "東の京ではない。"),
  document("hangul", "한국어 검색", "대한민국의 수도는 서울이다."),
  document("thai", "ภาษาไทย", "สวัสดีชาวโลก"),
  document("arabic", "مرحبا بالعالم", "نص قصير"),
  document("street", "Straße", "Die Straße ist lang. Exact words here, and exact other words."),
  document("show", "Episode one", "Notes.", { kind: 2, transcripts: [{ address: "media/one.vtt", format: 0, passages: spoken }] }),
  document("tide", "The late tide", "The tide is late; late, late, late."),
  document("hostile", "<img src=x onerror=alert(1)>", "</script><b>bold</b> tide"),
];

const site = (change = () => {}) => {
  const files = encode(script(), corpus);
  for (const { id, content } of corpus) files.set(`i/${id}/item.json`, JSON.stringify({ items: [{ content_text: content[0] }] }));
  files.set("about/", "<main>Who <b>wri</b>tes here.</main>");
  files.set("media/one.vtt", transcript);
  const asked = [];
  change(files);
  const fetch = async (address, { headers = {}, signal } = {}) => {
    const url = String(address);
    asked.push({ url, range: headers.range });
    await new Promise((resolve, reject) => {
      setImmediate(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    if (!url.startsWith(base)) throw new TypeError("no network");
    const body = files.get(url.slice(base.length));
    if (body === undefined) return new Response("", { status: 404 });
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range);
    if (!range || files.hasNoRanges) return new Response(body);
    return new Response(Buffer.from(body).subarray(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined), { status: 206 });
  };
  class DOMParser {
    parseFromString(html) {
      return { body: { textContent: html.replace("&amp;", "&") } };
    }
  }
  return { asked, ...script({ base, fetch, DOMParser }) };
};

const found = async (own, text, signal = new AbortController().signal) => {
  const query = await own.begin(text, signal);
  await query.more(() => {});
  return { query, ids: query.hits.map(({ document }) => corpus[document].id) };
};

// What the API's and the Rust reader's tests hold too: a query, and what it finds, in order.
const table = [
  ["cafe", ["cafe-plain", "cafe"]],
  ["café", ["cafe", "cafe-plain"]],
  ["CAFÉ", ["cafe", "cafe-plain"]],
  ["caf", ["cafe", "cafe-plain"]],
  ["c", ["cafe", "cafe-plain", "docker"]],
  ["kubernetes", ["kubernetes", "docker"]],
  ["kubernets", ["kubernetes"]],
  ["ubernetse", ["kubernetes"]],
  ["dokcer notes", ["docker"]],
  ['"kubernets"', []],
  ["strasse", ["street"]],
  ["straße", ["street"]],
  ['"exact words"', ["street"]],
  ["'words here'", ["street"]],
  ['"words exact"', []],
  ['"exact words', ["street"]],
  ["e-mail", ["cafe"]],
  ["e-m", ["cafe"]],
  ["東京", ["tower", "show"]],
  ["京", ["kyoto", "tower", "show"]],
  ["京都", ["kyoto", "show"]],
  ["東京都", ["show"]],
  ["Rust言語", ["tower"]],
  ["go言語", []],
  ["한국", ["hangul"]],
  ["민국의", ["hangul"]],
  ["ชาว", ["thai"]],
  ["مرحبا", ["arabic"]],
  ["tide", ["tide", "hostile", "show"]],
  ["late tide", ["tide", "show"]],
  ['"late tide"', ["tide", "show"]],
  ['"moon phases"', ["show"]],
  ['"moon tide"', []],
  ["grüße", ["show"]],
  ["writes", ["about"]],
  ['"who writes"', ["about"]],
  ["onerror", ["hostile"]],
  ["nothing-like-this", []],
  ["🎉", []],
  ["\ud83d tide \udc00", ["tide", "hostile", "show"]],
  ["", []],
];
test("queries find what they should, in order", async () => {
  const own = site();
  for (const [text, expected] of table) assert.deepEqual((await found(own, text)).ids, expected, text);
});

test("queries are read as the API reads them", () => {
  const { clauses } = script();
  const shown = (text) =>
    clauses(text).map(({ words, quoted, prefix, literal }) => (words ? `${quoted ? "phrase" : "term"} ${words.join(" ")}${prefix ? "*" : ""}` : `literal ${literal}`));
  for (const [text, ...expected] of [
    ["Café au lait", "term cafe", "term au", "term lait*"],
    ['"exact words" here', "phrase exact words", "term here*"],
    ["'exact words' here", "phrase exact words", "term here*"],
    ["“exact words”", "phrase exact words"],
    ['one "two three"', "term one*", "phrase two three"],
    ["don't e-mail", "term don t", "term e mail*"],
    ["don’t 'don’t stop'", "term don t*", "phrase don t stop"],
    ["the dogs' bowls'", "term the", "term dogs", "term bowls*"],
    ["'90s and '80s", "term 90s", "term and", "term 80s*"],
    ['27" monitor', "term 27", "term monitor*"],
    ['"unclosed phrase', "term unclosed", "term phrase*"],
    ["art art", "term art*"],
    ["Rust言語 漢", "literal rust言語", "literal 漢"],
    ['"東京 Tower"', "literal 東京 tower"],
    ["日本'東京'の", "literal 日本", "literal 東京", "literal の"],
    ["か\u3099\u3000x", "literal が", "term x*"],
    ["\" ' '' \"\" -*^:()"],
  ]) {
    assert.deepEqual(shown(text), expected, text);
  }
  assert.equal(shown("x".repeat(5000)).join().length, 206);
});

test("words fold as they do in the index", () => {
  const { fold } = script();
  for (const [word, expected] of [
    ["Café", "cafe"],
    ["cafe\u0301", "cafe"],
    ["STRASSE", "strasse"],
    ["Straße", "strasse"],
    ["İstanbul", "istanbul"],
    ["ΟΔΟΣ", "οδοσ"],
    ["οδός", "οδοσ"],
    ["Łódź", "lodz"],
    ["Ｒｕｓｔ", "rust"],
    ["ﬁne", "fine"],
    ["Донау\u00ADдампф", "донаудампф"],
    ["हिन्दी", "हिन्दी".normalize("NFKD")],
    ["שָׁלוֹם", "שלום"],
  ]) {
    assert.equal(fold(word), expected, word);
  }
});

test("the dense scripts are those of the API's search", () => {
  const rust = fs.readFileSync(path.join(__dirname, "../../crates/search/src/scripts.rs"), "utf8");
  const ranges = [...rust.matchAll(/\('\\u\{(\w+)\}', '\\u\{(\w+)\}'\)/g)].map((range) => range.slice(1).map((end) => parseInt(end, 16)));
  assert.ok(ranges.length > 30);
  const { runs } = script();
  for (let point = 0; point < 0x110000; point += 1) {
    const character = String.fromCodePoint(point);
    if (!/\P{Cn}/u.test(character) || /\p{Cs}/u.test(character)) continue;
    const expected = ranges.some(([first, last]) => first <= point && point <= last);
    if (!!runs(character)[0]?.run !== expected) assert.fail(`U+${point.toString(16)}`);
  }
});

test("what was said is shown with its time", async () => {
  for (const hasNoRanges of [false, true]) {
    const own = site((files) => (files.hasNoRanges = hasNoRanges));
    const said = async (text) => {
      const { query } = await found(own, text);
      const hit = query.hits.find(({ document }) => corpus[document].id === "show");
      const shown = await own.passagesWithText(query, hit);
      return shown.map(({ time, text, marks }) => [time, text.trim(), ...marks.map(({ at, end }) => text.slice(at, end))]);
    };
    assert.deepEqual(await said("late"), [[83.5, "phases and the late tide.", "late"]]);
    assert.deepEqual(await said("moon"), [[0, "Welcome to the tide & moon show. Today we talk about moon", "moon", "moon"]]);
    assert.deepEqual(await said("東京都"), [[120, "Grüße aus 東京都庁.", "東京都"]]);
    const [[time, , ...words]] = await said('"moon phases"');
    assert.deepEqual([time, words], [4, ["moon phases"]]);
  }
  assert.deepEqual([0, 83.9, 3661].map(script().clock), ["0:00", "1:23", "1:01:01"]);
});

test("excerpts hold what was found, marked", async () => {
  const own = site();
  const { query } = await found(own, "lang");
  const { text, marks } = await own.textOf(query, query.hits[0]);
  assert.deepEqual(marks.map(({ at, end }) => text.slice(at, end)), ["lang"]);
  const long = `${"word ".repeat(100)}needle 😀${"word ".repeat(100)}`;
  const cut = own.excerpt(long, own.marks(long, own.clauses("needle")));
  assert.ok(cut.text.length < 200 && cut.text.startsWith("…word ") && cut.text.endsWith("…"));
  assert.deepEqual(cut.marks.map(({ at, end }) => cut.text.slice(at, end)), ["needle"]);
});

test("a query waits for three fetches at most, and asks for nothing twice", async () => {
  const own = site();
  await found(own, "kubernetes");
  const before = own.asked.length;
  await found(own, "kubernetes");
  assert.equal(own.asked.length, before);
  assert.equal(new Set(own.asked.map(({ url }) => url)).size, before);
});

test("a query that is left cancels what nobody else waits for, and can be asked again", async () => {
  const own = site();
  const controller = new AbortController();
  const first = found(own, "tide", controller.signal);
  const second = found(own, "tide");
  controller.abort();
  await assert.rejects(first);
  assert.deepEqual((await second).ids, ["tide", "hostile", "show"]);
  const alone = new AbortController();
  const left = found(own, "kubernetes", alone.signal);
  alone.abort();
  await assert.rejects(left);
  assert.deepEqual((await found(own, "kubernetes")).ids, ["kubernetes", "docker"]);
});

test("an index that is missing, old or broken is told apart", async () => {
  const kind = async (change) => {
    const error = await found(site(change), "tide").then(() => undefined, (error) => error);
    return ["missing", "version"].includes(error.message) ? error.message : "broken";
  };
  const entry = "search/index/entry.bin";
  assert.equal(await kind((files) => files.delete(entry)), "missing");
  assert.equal(await kind((files) => files.set(entry, zlib.deflateRawSync('{"version":2}'))), "version");
  assert.equal(await kind((files) => files.set(entry, "no deflate")), "broken");
  assert.equal(await kind((files) => files.set(entry, zlib.deflateRawSync("null"))), "broken");
  assert.equal(
    await kind((files) => {
      for (const name of files.keys()) if (name.includes("/shards/")) files.set(name, zlib.deflateRawSync(Buffer.alloc(100, 255)));
    }),
    "broken",
  );
  const own = script({ base: "https://elsewhere.example/", fetch: async () => Promise.reject(new TypeError("offline")) });
  await assert.rejects(found(own, "tide"), { message: "offline" });
});

test("hostile queries and texts break nothing", async () => {
  const own = site();
  for (const text of ["\"'\"'".repeat(50), "a".repeat(200), "ก".repeat(200), "\ud800".repeat(200), "'".repeat(200), "() * ^ : -".repeat(20)]) {
    assert.ok(Array.isArray((await found(own, text)).ids), text);
  }
  const title = "tide ".repeat(2000);
  assert.equal(own.marks(title, own.clauses("tide")).length, 2000);
});
