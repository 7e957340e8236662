// The browser's search without a browser, over an index that the program built:
//
//   node --test tests/search/
//
// SEARCH_SITE is the folder of the site of tests/fixtures/search, built. Without it the program that Cargo built last
// builds one.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { setTimeout: delay } = require("node:timers/promises");
const { test } = require("node:test");
const zlib = require("node:zlib");
const { build, fault, idOf, rows } = require("./fixture.cjs");
const { script } = require("./script.cjs");

const root = path.join(__dirname, "../..");
const feedwright = path.resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "debug/feedwright");
const folder = process.env.SEARCH_SITE ?? build(feedwright);
const origin = "https://example.com";
const base = `${origin}/blog/`;
const ENTRY = "search/index/entry.bin";

class DOMParser {
  parseFromString(html) {
    const entities = { agrave: "à", amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };
    return { body: { textContent: html.replace(/&([#\w]+);/g, (all, name) => entities[name] ?? all) } };
  }
}

// The script on a server of files. `changed` has other contents by path, or undefined where a file is missing.
const site = ({ changed = new Map(), hasRanges = true, wait = 0 } = {}) => {
  const asked = [];
  let answered = 0;
  const content = (name) => {
    if (changed.has(name)) return changed.get(name);
    const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
  };
  const fetch = async (address, { headers = {}, signal } = {}) => {
    const url = String(address);
    // How many fetches one after the other led to this.
    const depth = answered + 1;
    asked.push(url);
    await delay(wait, undefined, { signal });
    answered = Math.max(answered, depth);
    assert.ok(url.startsWith(base), url);
    const body = content(decodeURIComponent(url.slice(base.length)));
    if (body === undefined) return new Response("", { status: 404 });
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range);
    if (!range || !hasRanges) return new Response(body);
    return new Response(body.subarray(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined), { status: 206 });
  };
  return { asked, depth: () => answered, ...script({ base, fetch, DOMParser }) };
};

const found = async (own, text, signal = new AbortController().signal) => {
  const query = await own.begin(text, signal);
  do await query.more(() => {});
  while (query.hasMore);
  return { query, ids: query.hits.map(({ path }) => idOf(path)) };
};

test("queries find what the table says", async () => {
  const own = site();
  const faults = [];
  for (const row of rows) faults.push(fault(row, (await found(own, row.query)).ids));
  assert.equal(faults.filter(Boolean).join("\n"), "");
});

test("what cannot be written in the table finds what it should", async () => {
  const own = site();
  assert.deepEqual((await found(own, "\ud83d kubernetes \udc00")).ids, ["kubernetes", "mentions"]);
  assert.deepEqual((await found(own, "")).ids, []);
  for (const text of ["\"'\"'".repeat(50), "a".repeat(200), "ก".repeat(200), "\ud800".repeat(200), "'".repeat(200), "() * ^ : -".repeat(20)]) {
    assert.deepEqual((await found(own, text)).ids, [], text);
  }
  const title = "tide ".repeat(2000);
  assert.equal(own.marks(title, own.clauses("tide")).length, 2000);
});

test("queries are read as the API reads them", () => {
  const { clauses } = script();
  const shown = (text) =>
    clauses(text).map(({ words, quoted, prefix, literal }) => (words ? `${quoted ? "phrase" : "term"} ${words.join(" ")}${prefix >= 0 ? "*" : ""}` : `literal ${literal}`));
  for (const [text, ...expected] of [
    ["Café au lait", "term cafe", "term au", "term lait*"],
    ['"exact words" here', "phrase exact words", "term here*"],
    ["'exact words' here", "phrase exact words", "term here*"],
    ["“exact words”", "phrase exact words"],
    ['one "two three"', "term one*", "phrase two three"],
    ["don't e-mail", "term dont", "term e mail*"],
    ["node.js www.a.example/b", "term nodejs", "term www a example b*"],
    ["don’t 'don’t stop'", "term dont*", "phrase don t stop"],
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
  for (const hasRanges of [true, false]) {
    const own = site({ hasRanges });
    const said = async (text) => {
      const { query } = await found(own, text);
      const shown = await own.passagesWithText(query, query.hits[0]);
      return shown.map(({ time, text, marks }) => [time, ...marks.map(({ at, end }) => text.slice(at, end))]);
    };
    assert.deepEqual(await said("photovoltaics"), [[0, "photovoltaics"]]);
    assert.deepEqual(await said("solar panels"), [[90, "solar", "panels"]]);
    assert.deepEqual(await said('"battery keeps"'), [[270, "battery keeps"]]);
    assert.deepEqual(await said('"neighbours what they cost"'), [[180, "neighbours, & what they cost"]]);
    assert.deepEqual(await said("wechselrichter"), [[90.5, "Wechselrichter"]]);
    assert.deepEqual(await said('"tous un onduleur"'), [[2, "tous. Un onduleur"]]);
    assert.deepEqual(await said("onduleur"), [[130, "onduleur"]]);
    assert.deepEqual(await said("inversor"), [[200, "inversor"]]);
    assert.deepEqual(await said('"amigos hace falta"'), [[3, "amigos. Hace falta"]]);
    assert.deepEqual(await said("raddrizzatore"), [[-1, "raddrizzatore"]]);
    assert.deepEqual(await said("retificador"), [[250.5, "retificador"]]);
  }
  assert.deepEqual([0, 83.9, 3661].map(script().clock), ["0:00", "1:23", "1:01:01"]);
});

test("what was said and may not be read has its time alone", async () => {
  const own = site({ changed: new Map([["media/items/talk/talk.vtt", undefined]]) });
  for (const text of ["photovoltaics", '"battery keeps"']) {
    const { query, ids } = await found(own, text);
    assert.deepEqual(ids, ["talk"], text);
    const [{ time, text: words }] = await own.passagesWithText(query, query.hits[0]);
    assert.ok(time >= 0 && words === "", text);
  }
});

test("excerpts hold what was found, marked", async () => {
  const own = site();
  const { query } = await found(own, "kubernetes");
  const { text, marks } = await own.textOf(query, query.hits[1]);
  assert.deepEqual(marks.map(({ at, end }) => text.slice(at, end)), ["kubernetes"]);
  const long = `${"word ".repeat(100)}needle 😀${"word ".repeat(100)}`;
  const cut = own.excerpt(long, own.marks(long, own.clauses("needle")));
  assert.ok(cut.text.length < 200 && cut.text.startsWith("…word ") && cut.text.endsWith("…"));
  assert.deepEqual(cut.marks.map(({ at, end }) => cut.text.slice(at, end)), ["needle"]);
});

test("a query waits for three fetches at most, and asks for nothing twice", async () => {
  for (const text of ["kubernetes", "cafe", "café", "ca"]) {
    const own = site({ wait: 50 });
    const query = await own.begin(text, new AbortController().signal);
    let depth;
    await query.more(() => (depth ??= own.depth()));
    assert.ok(depth <= 3, `${text}: ${depth} fetches`);
    await found(own, text);
    assert.equal(new Set(own.asked).size, own.asked.length, text);
  }
});

test("typos are looked for when nothing else is found, or when they are asked for", async () => {
  const shards = (own) => own.asked.filter((url) => url.includes("/shards/")).length;
  const own = site();
  const query = await own.begin("kubernetes", new AbortController().signal);
  await query.more(() => {});
  const before = shards(own);
  assert.deepEqual([query.hits.length, query.total, query.isExact, query.hasMore], [2, 2, true, "similar"]);
  await query.more(() => {});
  assert.ok(shards(own) > before && !query.hasMore);
  for (const [text, hits] of [["kubernets", 1], ["tea", 0], ["zzz", 0], ["12345", 0]]) {
    const query = await own.begin(text, new AbortController().signal);
    await query.more(() => {});
    assert.equal(query.hits.length, hits, text);
    assert.ok(!query.hasMore, text);
  }
});

test("a query that is left cancels what nobody else waits for, and can be asked again", async () => {
  const own = site();
  const controller = new AbortController();
  const first = found(own, "drink", controller.signal);
  const second = found(own, "drinks");
  controller.abort();
  await assert.rejects(first);
  assert.deepEqual((await second).ids, ["about"]);
  const alone = new AbortController();
  const left = found(own, "kubernetes", alone.signal);
  alone.abort();
  await assert.rejects(left);
  assert.deepEqual((await found(own, "kubernetes")).ids, ["kubernetes", "mentions"]);
});

test("an index that is missing, old or broken is told apart", async () => {
  const shards = fs.readdirSync(path.join(folder, "search/index/shards")).map((name) => `search/index/shards/${name}`);
  const every = (names, content) => new Map(names.map((name) => [name, content]));
  const packed = (content) => zlib.deflateRawSync(content);
  for (const [names, content, expected] of [
    [[ENTRY], undefined, "missing"],
    [[ENTRY], packed('{"version":1}'), "version"],
    [[ENTRY], Buffer.from("no deflate"), "broken"],
    [[ENTRY], packed("null"), "broken"],
    [[ENTRY], fs.readFileSync(path.join(folder, ENTRY)).subarray(0, 20), "broken"],
    [shards, undefined, "missing"],
    [shards, packed(Buffer.alloc(100, 255)), "broken"],
  ]) {
    const own = site({ changed: every(names, content) });
    const error = await found(own, "kubernetes").then(() => undefined, (error) => error);
    assert.equal(["missing", "version"].includes(error.message) ? error.message : "broken", expected);
  }
  const own = script({ base: "https://elsewhere.example/", fetch: async () => Promise.reject(new TypeError("offline")) });
  await assert.rejects(found(own, "tide"), { message: "offline" });
});
