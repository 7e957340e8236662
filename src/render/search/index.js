// The index of the site, fetched in parts. `query` has the fields of the index entry in addition to
// its own. An error's message is the key of the text to show.
const allOf = (list, get) => Promise.all(list.map(get));

// Each address is fetched once. Requests that no caller waits for are cancelled, and failed ones
// are removed from the cache.
const fetched = new Map();
// The search page preloads the entry before this script runs. The first request uses the preloaded
// entry; later requests revalidate it.
let isEarly = Boolean(globalThis.document?.querySelector("link[rel=preload][as=fetch]"));
const load = async (address, read, signal, headers = {}) => {
  const key = address + headers.range;
  let known = fetched.get(key);
  if (!known) {
    const controller = new AbortController();
    const forget = () => fetched.get(key) === known && fetched.delete(key);
    const get = async () => {
      const cache = address === ENTRY && !isEarly ? "no-cache" : "default";
      if (address === ENTRY) isEarly = false;
      const response = await fetch(new URL(address, base), { headers, cache, signal: controller.signal }).catch(() => ({}));
      if (!response.ok) throw Error(response.status === 404 ? "missing" : "offline");
      return read(response);
    };
    known = { users: 0, value: get() };
    known.cancel = () => forget() && controller.abort();
    known.value.then(() => (known.cancel = () => {}), forget);
    fetched.set(key, known);
  }
  known.users += 1;
  signal?.addEventListener("abort", () => --known.users || known.cancel());
  const value = await known.value;
  signal?.throwIfAborted();
  return value;
};

const ENTRY = "search/index/entry.bin";
const utf8 = new TextDecoder();
const inflated = (read) => async (response) => {
  const stream = response.body.pipeThrough(new DecompressionStream("deflate-raw"));
  return read(new Uint8Array(await new Response(stream).arrayBuffer()));
};
const shard = (query, names, n, read) => load(`search/index/shards/${names.slice(n * 8, n * 8 + 8)}.bin`, inflated(read), query.signal);
const json = (bytes) => JSON.parse(utf8.decode(bytes));

// Decodes the entry, and adds the document of each passage.
const readEntry = (bytes) => {
  const found = json(bytes);
  if (found.version !== 3) throw Error("version");
  const owners = [];
  let owner = -1;
  found.passages.forEach((number, n) => {
    if (n % 2) while (number-- > 0) owners.push(owner);
    else owner += number;
  });
  return { ...found, owners };
};
const entry = (signal) => load(ENTRY, inflated(readEntry), signal);

// Decodes a shard: its words, each with the counts and bytes of its lists.
const readWords = (bytes) => {
  const words = [];
  let at = 0;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (!(byte > 127)) return value;
    }
  };
  let letters = [];
  while (at < bytes.length) {
    const shared = number();
    const end = number() + at;
    letters = [...letters.slice(0, shared), ...bytes.subarray(at, end)];
    at = end;
    const counts = [number(), number()];
    const size = number();
    words.push({ word: utf8.decode(new Uint8Array(letters)), counts, bytes: bytes.subarray(at, (at += size)) });
    if (!(at <= bytes.length)) throw Error("broken");
  }
  return words;
};

// Decodes Rice-coded lists. Sets in `found` the weight of every document, followed by every
// passage.
const readLists = (counts, bytes, found, weights) => {
  let at = 0;
  const next = () => (bytes[at >> 3] >> (7 - (at++ & 7))) & 1;
  counts.forEach((count, kind) => {
    if (!count) return;
    at = (at + 7) & ~7;
    const k = bytes[at >> 3];
    at += 8;
    const list = found[kind];
    for (let last = -1; count--; ) {
      let gap = 0;
      while (next()) gap += 1;
      for (let n = 0; n < k; n += 1) gap = gap * 2 + next();
      last += gap + 1;
      if (!(last < list.length)) throw Error("broken");
      let weight = 0;
      if (!kind) while (weight < 3 && next()) weight += 1;
      list[last] = Math.max(list[last], kind || weights[weight]);
    }
  });
};

// Weights of a word that occurs once, several times, often, or in the title.
const WHOLE = [2, 3, 4, 10];
const LONGER = [1, 2, 3, 6];
const cut = (text) => [...text].slice(0, 64).join("");

// Returns where a token occurs: its score for each document, and its passages. For a prefix,
// includes all words that begin with it. `exact` holds the documents that spell the token as it was
// `typed`, or contain a longer word that begins with that spelling.
const places = async (query, [token, isPrefix, typed, weights = WHOLE]) => {
  const { documents, owners, words } = query;
  const empty = () => [new Uint32Array(documents), new Uint8Array(owners.length)];
  const [found, spelled, [other]] = [empty(), empty(), empty()];
  const isRun = isDense(token);
  const isShort = (text) => [...text].length < 3;
  const beginning = `${token}\x03`;
  const begins = (n) => isPrefix && words[n]?.startsWith(token);
  // A word and its marked tokens are in the same shard. If many whole shards begin with a prefix,
  // the prefix has its own token.
  let n = Math.max(0, words.findLastIndex((word) => word <= beginning));
  const shards = [];
  do shards.push(shard(query, query.wordShards, n, readWords));
  while (begins(++n) && (isRun || !begins(n + Math.ceil(documents / 32768))));
  const records = (await Promise.all(shards)).flat();
  const isAlone = !isPrefix || records.some(({ word }) => word === beginning);
  const documentsOf = ([own, passages]) => {
    const all = own.slice();
    passages.forEach((isThere, at) => (all[owners[at]] += isThere));
    return all;
  };
  let whole;
  let count = 0;
  for (const { word, counts, bytes } of records) {
    const [longer, mark, spelling] = word.slice(token.length).split(/([\x01-\x03])/);
    if (!word.startsWith(token) || (longer && isAlone)) continue;
    if (mark === "\x02") {
      const fits = isAlone || isShort(typed) ? word === cut(`${token}\x02${typed}`) : spelling.startsWith(typed);
      if (typed && fits) readLists(counts, bytes, spelled, WHOLE);
    } else if (mark === "\x01") {
      if (longer || !counts[0]) continue;
      readLists([counts[0]], bytes, [other], WHOLE);
      // Longer words may have other spellings too, so only documents with the whole word count as
      // exact.
      if (isPrefix) whole = documentsOf(found);
    } else if (!mark || isPrefix) {
      count += counts[0];
      const isPart = (longer || mark) && !isRun;
      readLists(isPart && isShort(token) ? [counts[0]] : counts, bytes, found, isPart ? LONGER : weights);
    }
  }
  const idf = Math.max(1, Math.round(16 * Math.log2((documents + 1) / (Math.min(count, documents) + 0.5))));
  const exact = typed ? documentsOf(spelled) : other.map((n, at) => !n && (!whole || whole[at]));
  return { own: found[0].map((weight) => weight * idf), passages: found[1], idf, exact };
};

// Returns the tokens of a clause: its words, or pairs of characters.
const tokensOf = ({ words, typed, prefix, literal }) =>
  words
    ? words.map((word, n) => [cut(word), n === prefix, typed[n].normalize("NFD") === word ? "" : typed[n]])
    : runs(literal).flatMap((run) => {
        const found = run.run ? pairs(literal, run).map((pair) => [pair]) : [];
        return run.run && !found.length ? [[run.run, true]] : found;
      });

// Returns where all tokens occur together: in the same document, or in two adjacent passages.
const together = async (query, tokens) => {
  const { owners } = query;
  const found = await allOf(tokens, (token) => places(query, token));
  const sum = (get) => found.map(get).reduce((a, b) => a + b);
  const scores = found[0].own.map((_, at) => found.every(({ own }) => own[at]) && sum(({ own }) => own[at]));
  const passages = found[0].passages.map((first, at) => {
    const next = at + (owners[at + 1] === owners[at]);
    const isThere = first && found.every(({ passages }) => passages[at] || passages[next]);
    if (isThere) scores[owners[at]] ||= sum(({ idf }) => idf);
    return isThere;
  });
  return { scores, passages, isExact: (at) => found.every(({ exact }) => exact[at]) };
};

// Returns the maximum number of typos in a clause.
const typosMax = ({ words = [] }) => {
  const { length } = [...words.join()];
  return words[1] || length < 4 || /\p{N}/u.test(words) ? 0 : length < 8 ? 1 : 2;
};

// Returns the words of titles that a word may be a misspelling of, nearest first.
const nearWords = async (query, clause) => {
  const most = typosMax(clause);
  const letters = [...(clause.words?.[0] ?? "")];
  const { length } = letters;
  const names = new Set();
  for (let n = length - most; most && n <= length + most; n += 1) names.add(query.titles[Math.min(n, 20)]);
  const read = (bytes) => utf8.decode(bytes).split("\n");
  const lists = await allOf([...names], (name) => (name ? shard(query, name, 0, read) : []));
  return lists
    .flat()
    .map((word) => ({ word, typos: distance(letters, [...word]) }))
    .filter(({ typos }) => typos && typos <= most)
    .sort((a, b) => a.typos - b.typos || (a.word < b.word ? -1 : 1))
    .slice(0, 32);
};

// Returns the matching documents, ordered by tier, score and number. One number encodes all three
// for each document, so that sorting is fast. `near` holds, for each clause and number of typos,
// the scores of documents whose titles match with that many typos.
const ordered = ({ documents, found }, tierOf, near = found.map(() => [[]])) => {
  const keys = [];
  for (let at = 0; at < documents; at += 1) {
    const typos = found.map(({ scores }, n) => (scores[at] ? 0 : near[n].findIndex((scores) => scores[at])));
    const most = Math.max(...typos);
    const tier = typos.includes(-1) ? -1 : tierOf(at, most);
    if (tier < 0) continue;
    const score = found.reduce((sum, { scores }, n) => sum + Math.max(scores[at], near[n][most][at] ?? 0), 0);
    keys.push(((3 - tier) * 2 ** 24 + score) * documents + at);
  }
  return Array.from(Float64Array.from(keys).sort().reverse(), (key) => key % documents);
};

// Returns the documents that may match, exact spellings first. Sets `found` to the places where
// each clause may match.
const rank = async (query) => {
  query.found = await allOf(query.wanted, (clause) => together(query, tokensOf(clause)));
  return ordered(query, (at) => +!query.found.every(({ isExact }) => isExact(at)));
};

// Returns further documents, whose titles match with typos. Sets `near` to the words that may be
// meant.
const rankTypos = async (query) => {
  const near = await allOf(query.wanted, (clause) => nearWords(query, clause));
  query.near = near.map((words) => words.map(({ word }) => word));
  const scores = await allOf(near, async (words) => {
    const found = [[], [], []];
    const titles = await allOf(words, ({ word }) => places(query, [word, false, "", [0, 0, 0, 5]]));
    titles.forEach(({ own }, i) =>
      own.forEach((score, at) => {
        for (let n = words[i].typos; score && n < 3; n += 1) found[n][at] = Math.max(score, found[n][at] ?? 0);
      }),
    );
    return found;
  });
  return ordered(query, (_, typos) => (typos ? typos + 1 : -1), scores);
};

// Returns the listing of a document.
const listing = async (query, document) => {
  const rows = await shard(query, query.listings, Math.floor(document / query.perListing), json);
  const [title, short, kind, date, own, to, transcripts = []] = rows[document % query.perListing];
  // The index does not repeat the title in the path, nor the path in the address of the text.
  const path = short.replace("*", title.toLowerCase().replace(pattern("[^\\p{Alphabetic}\\p{N}]+"), "-"));
  const text = own > 0 ? `i/${path.split(/[-/]/).at(-2)}/item.json` : own;
  return { document, title: composed(title || path.split("/").at(-2) || path), path, kind, date, text, to, transcripts };
};
