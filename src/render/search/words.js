// Parses a query as the index does: with the words, folding and marks of the API's search.
const EMOJI = "\\u203C\\u2049\\u2194-\\u2199\\u21A9\\u21AA\\u231A\\u231B\\u2328\\u23CF\\u23E9-\\u23FA\\u25AA\\u25AB\\u25B6\\u25C0\\u25FB-\\u25FE\\u2600-\\u2775\\u2794-\\u27BF\\u2934\\u2935\\u2B05-\\u2B07\\u2B1B\\u2B1C\\u2B50\\u2B55\\u3030\\u303D\\u3297\\u3299\\u{1F000}-\\u{1F0FF}\\u{1F18E}\\u{1F191}-\\u{1F19A}\\u{1F1E6}-\\u{1F265}\\u{1F300}-\\u{1FAFF}";
const DENSE = `[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\u3099-\\u309C\\u30FC\\uFF70\\uFF9E\\uFF9F${EMOJI}]`;
const INVISIBLE = "[\\xAD\\u200C\\u200D\\u2060\\uFE00-\\uFE0F]";
const LETTER = `(?!${DENSE})[\\p{Alphabetic}\\p{N}]`;
const INSIDE = `(?:${LETTER}|(?!${DENSE})\\p{M}|${INVISIBLE})`;
const pattern = (source) => new RegExp(source, "gsu");
// Apostrophes and dots between words, which readers may leave out: O'Leary, node.js.
const JOINT = "(?:(?<!\\p{N})[.．](?!\\p{N})|(?<!\\p{N})['‘’＇´·]|['‘’＇´·](?!\\p{N}))";
const WORD = `${LETTER}${INSIDE}*`;
const CHAIN = `${WORD}(?:${JOINT}${WORD})+`;
const isDense = (text) => text.search(pattern(DENSE)) >= 0;
const noWord = pattern(`(?!${INSIDE}).`);
// Marks that people leave out: accents, Hebrew points, Arabic vowels. Vowel signs that are letters
// are kept.
const leftOut = pattern(
  `(?=\\p{M})[\\u0300-\\u036F\\u0483-\\u0487\\u0591-\\u05C7\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06ED\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]|\\u02BC|${INVISIBLE}`,
);
// A single quote next to a word is an apostrophe. An unclosed quote does not count as a quote.
const quotes = pattern(`["“”„]([^"“”„]*)["“”„]|(?<!${LETTER})['‘’](.*?)['‘’](?!${LETTER})`);
const spelled = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i" };

const composed = (text) => text.normalize("NFC");
// Only İ becomes longer in lower case. It is replaced by i, so that positions in the text stay the
// same.
const lower = (text) => text.replace(/İ/g, "i").toLowerCase().replace(/ς/g, "σ");
// Returns the form in which substrings are compared: half-width letters become full-width, and
// emoji lose their joiners.
const exact = (text) =>
  lower(composed(text.replace(/[\uFF61-\uFFDC]+/g, (half) => half.normalize("NFKD"))).replace(pattern(`(?<=${DENSE})${INVISIBLE}+`), ""));
const fold = (word) =>
  lower(word.normalize("NFKD"))
    .replace(/[^ -~]/g, (letter) => spelled[letter] ?? letter)
    .replace(leftOut, "")
    .replace(noWord, "");

// Returns the words and dense runs of a text. A run has an empty word.
const runs = (text) =>
  [...text.matchAll(pattern(`(${DENSE}+)|${WORD}`))]
    .map(({ index, 0: text, 1: run }) => ({ at: index, end: index + text.length, text, run, word: run ? "" : fold(text) }))
    .filter(({ run, word }) => run || word);

// Returns every sequence in a chain of words as one word. For a long chain, returns only pairs of
// neighbours and the whole chain.
const joined = (text) =>
  [...text.matchAll(pattern(CHAIN))].flatMap(({ index, 0: chain }) => {
    const parts = [...chain.matchAll(pattern(WORD))].map(({ index: from, 0: { length } }) => ({ at: index + from, end: index + from + length }));
    const isWanted = (n, m) => m > n && (parts.length <= 6 || m === n + 1 || m - n === parts.length - 1);
    const stretches = parts.flatMap(({ at }, n) => parts.filter((_, m) => isWanted(n, m)).map(({ end }) => ({ at, end })));
    return stretches.map((own) => ({ ...own, word: fold(text.slice(own.at, own.end)) }));
  });

// Returns a text in the form of literals, with the start and end of each unit in the original.
const placed = (text) => {
  if (!/[\uFF61-\uFFDC\u200C\u200D\uFE00-\uFE0F]/.test(text)) return { low: lower(text) };
  const found = { low: "", places: [] };
  for (const { index, 0: part } of text.matchAll(pattern(`.(?:\\p{M}|[\\uFF9E-\\uFFDC]|${INVISIBLE})*`))) {
    const own = exact(part);
    found.low += own;
    for (let n = 0; n < own.length; n += 1) found.places.push({ at: index, end: index + part.length });
  }
  return found;
};

// Returns the pairs of neighbouring characters that index a dense run, including the letters next
// to the run.
const pairs = (text, { at, end, run }) => {
  const before = text.slice(0, at).match(pattern(`${LETTER}$`));
  const after = text.slice(end).match(pattern(`^${LETTER}`)) ?? [];
  const letters = [...run];
  const found = [...letters.slice(1), ...after].map((letter, n) => letters[n] + letter);
  return before ? [letters[0] + before[0], ...found] : found;
};

// Returns the clauses that every result must match: consecutive words, or a literal in a dense
// script.
const clauses = (query) => {
  const found = new Map();
  let last;
  const add = (text, quoted) => {
    let clause;
    if (isDense(composed(text))) clause = { literal: exact(text.trim()) };
    else {
      let all = runs(text);
      if (!all.length) return;
      const [chain] = (!quoted && text.match(pattern(CHAIN))) || [];
      if (chain && runs(chain).length === all.length) all = [{ text: chain, word: fold(chain) }];
      const typed = ({ text }) => lower(composed(text.replace(pattern(INVISIBLE), "").replace(noWord, "")));
      clause = { words: all.map(({ word }) => word), typed: all.map(typed), quoted };
    }
    const key = clause.literal ?? quoted + clause.words.join(" ");
    if (!found.has(key)) found.set(key, clause);
    if (!quoted) last = found.get(key);
  };
  const terms = (text) => text.split(/[\s\x85]+/).forEach((term) => add(term, false));
  const text = [...query].slice(0, 200).join("").replace(/\p{Surrogate}/gu, " ");
  let from = 0;
  for (const { index, 0: all, 1: double, 2: single } of text.matchAll(quotes)) {
    terms(text.slice(from, index));
    add(double ?? single, true);
    from = index + all.length;
  }
  terms(text.slice(from));
  // The last word of the last unquoted clause may be the beginning of a longer word.
  if (last?.words) last.prefix = last.words.length - 1;
  return [...found.values()];
};

// Returns whether the index alone decides if a document matches a clause.
const isDecided = ({ words, literal }) => (words ? words.length < 2 : [...literal].length < 3 && [...literal].every(isDense));
const toleratesTypos = ({ words, quoted, literal }) => (words ? !quoted : [...literal].length < 2);
const bit = (n) => 1 << n % 30;
const ones = (bits) => bits.toString(2).replaceAll("0", "").length;
const all = (found) => found.reduce((bits, { clauses }) => bits | clauses, 0);

// Returns where clauses match in a text: [{ at, end, clauses }], with one bit for each clause.
const marks = (text, wanted, near = []) => {
  const found = [];
  const { low, places } = placed(text);
  const own = wanted.some(({ words }) => words) ? runs(text) : [];
  const chains = wanted.some(({ words }) => words?.length === 1) ? joined(text) : [];
  wanted.forEach(({ words, prefix, literal }, n) => {
    const add = (at, end) => found.push({ at, end, clauses: bit(n) });
    if (literal)
      for (let at = -1; (at = low.indexOf(literal, at + 1)) >= 0; ) {
        const end = at + literal.length;
        add(places ? places[at].at : at, places ? places[end - 1].end : end);
      }
    else {
      for (const { at, end, word } of words.length === 1 ? chains : [])
        if (word === words[0] || (prefix === 0 && word.startsWith(words[0])) || near[n]?.includes(word)) add(at, end);
      own.forEach(({ at, word }, here) => {
        const matches = words.every((word, i) => {
          const there = own[here + i]?.word;
          return there === word || (i === prefix && there?.startsWith(word));
        });
        if (matches || near[n]?.includes(word)) add(at, own[here + (matches && words.length - 1)].end);
      });
    }
  });
  found.sort((a, b) => a.at - b.at || a.end - b.end);
  return found.reduce((kept, mark) => {
    const last = kept.at(-1);
    if (mark.at < last?.end) {
      last.end = Math.max(last.end, mark.end);
      last.clauses |= mark.clauses;
    } else kept.push(mark);
    return kept;
  }, []);
};

// Returns about 180 characters of a text at the place where most clauses match.
const excerpt = (text, found) => {
  const value = (from) => ones(all(found.filter(({ at, end }) => at >= from && end < from + 140)));
  const [best = { at: 0 }] = found.slice(0, 99).sort((a, b) => value(b.at) - value(a.at) || a.at - b.at);
  let from = Math.max(0, best.at - 40);
  // Starts and ends at word boundaries, and never splits a character.
  if (from) from += text.slice(from, best.at).match(/^\S*\s+/)?.[0].length ?? 0;
  while (from && /[\p{M}\uDC00-\uDFFF]/u.test(text[from])) from -= 1;
  let to = from + 180;
  if (to < text.length) to -= text.slice(from, to).match(/\s\S{0,24}$|[\uD800-\uDBFF]$/)?.[0].length ?? 0;
  const before = from ? "…" : "";
  const move = before.length - from;
  const inside = found.filter(({ at, end }) => at >= from && end <= to);
  return {
    text: before + text.slice(from, to).trimEnd() + (to < text.length ? "…" : ""),
    marks: inside.map(({ at, end }) => ({ at: at + move, end: end + move })),
  };
};

// Returns the number of insertions, deletions, replacements and swaps of neighbours between two
// words.
const distance = (a, b) => {
  let before;
  let row = [0, ...b].map((_, n) => n);
  a.forEach((letter, i) => {
    const next = [i + 1];
    b.forEach((other, j) => {
      const isSwap = i && j && letter === b[j - 1] && other === a[i - 1];
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (letter !== other), isSwap ? before[j - 1] + 1 : Infinity));
    });
    [before, row] = [row, next];
  });
  return row.at(-1);
};
