// What is typed, as the index sees it: with the words, the folding and the marks of the API's search.
const DENSE = `[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\u3099-\\u309C\\u30FC\\uFF70\\uFF9E\\uFF9F]`;
const INVISIBLE = "[\\xAD\\u200C\\u200D\\u2060\\uFE00-\\uFE0F]";
const LETTER = `(?!${DENSE})[\\p{Alphabetic}\\p{N}]`;
const INSIDE = `(?:${LETTER}|(?!${DENSE})\\p{M}|${INVISIBLE})`;
const pattern = (source) => new RegExp(source, "gsu");
const isDense = (text) => text.search(pattern(DENSE)) >= 0;
const noWord = pattern(`(?!${INSIDE}).`);
// Accents, Hebrew points, Arabic vowels: what people leave out. Vowel signs that are letters stay.
const leftOut = pattern(
  `(?=\\p{M})[\\u0300-\\u036F\\u0483-\\u0487\\u0591-\\u05C7\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06ED\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]|${INVISIBLE}`,
);
// A single quote next to a word is an apostrophe, and a quote that is never closed is none.
const quotes = pattern(`["“”„]([^"“”„]*)["“”„]|(?<!${LETTER})['‘’](.*?)['‘’](?!${LETTER})`);
const spelled = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i" };

const composed = (text) => text.normalize("NFC");
// The lower case of İ alone is longer: for i in its stead, places in the text stay the same.
const lower = (text) => text.replace(/İ/g, "i").toLowerCase().replace(/ς/g, "σ");
const fold = (word) =>
  lower(word.normalize("NFKD"))
    .replace(/[^ -~]/g, (letter) => spelled[letter] ?? letter)
    .replace(leftOut, "")
    .replace(noWord, "");

// The words and dense runs of a text: a run has no word.
const runs = (text) =>
  [...text.matchAll(pattern(`(${DENSE}+)|${LETTER}${INSIDE}*`))]
    .map(({ index, 0: text, 1: run }) => ({ at: index, end: index + text.length, text, run, word: run ? "" : fold(text) }))
    .filter(({ run, word }) => run || word);

// The pairs of neighbours that a dense run is indexed by, with the letters that touch it.
const pairs = (text, { at, end, run }) => {
  const before = text.slice(0, at).match(pattern(`${LETTER}$`));
  const after = text.slice(end).match(pattern(`^${LETTER}`)) ?? [];
  const letters = [...run];
  const found = [...letters.slice(1), ...after].map((letter, n) => letters[n] + letter);
  return before ? [letters[0] + before[0], ...found] : found;
};

// What every result must match: words in a row, or a literal of a dense script.
const clauses = (query) => {
  const found = new Map();
  let last;
  const add = (text, quoted) => {
    let clause;
    if (isDense(composed(text))) clause = { literal: lower(composed(text.trim())) };
    else {
      const all = runs(text);
      if (!all.length) return;
      clause = { words: all.map(({ word }) => word), typed: all.map(({ text }) => lower(composed(text.replace(pattern(INVISIBLE), "")))), quoted };
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
  // Which word may be the beginning of a longer one.
  if (last?.words) last.prefix = last.words.length - 1;
  return [...found.values()];
};

// Whether the lists of the index alone decide if a document matches.
const isDecided = ({ words, literal }) => (words ? words.length < 2 : [...literal].length < 3 && [...literal].every(isDense));
const toleratesTypos = ({ words, quoted, literal }) => (words ? !quoted : [...literal].length < 2);
const bit = (n) => 1 << n % 30;
const ones = (bits) => bits.toString(2).replaceAll("0", "").length;
const all = (found) => found.reduce((bits, { clauses }) => bits | clauses, 0);

// Where clauses match in a text: [{ at, end, clauses }], a bit for each.
const marks = (text, wanted, near = []) => {
  const found = [];
  const low = lower(text);
  const own = wanted.some(({ words }) => words) ? runs(text) : [];
  wanted.forEach(({ words, prefix, literal }, n) => {
    const add = (at, end) => found.push({ at, end, clauses: bit(n) });
    if (literal) for (let at = -1; (at = low.indexOf(literal, at + 1)) >= 0; ) add(at, at + literal.length);
    else
      own.forEach(({ at, word }, here) => {
        const matches = words.every((word, i) => {
          const there = own[here + i]?.word;
          return there === word || (i === prefix && there?.startsWith(word));
        });
        if (matches || near[n]?.includes(word)) add(at, own[here + (matches && words.length - 1)].end);
      });
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

// About 180 characters of a text where the most clauses match.
const excerpt = (text, found) => {
  const value = (from) => ones(all(found.filter(({ at, end }) => at >= from && end < from + 140)));
  const [best = { at: 0 }] = found.slice(0, 99).sort((a, b) => value(b.at) - value(a.at) || a.at - b.at);
  let from = Math.max(0, best.at - 40);
  // From a word's beginning to a word's end, and never through a character.
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

// Insertions, deletions, replacements and swaps of neighbours between two words.
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
