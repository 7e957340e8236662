// The results of a query. Texts are fetched if the index alone does not decide whether a document
// matches. Results are shown with the matching words.
const PAGE = 10;
const TEXTS_MAX = 40;

const untagged = (html) => new DOMParser().parseFromString(html.replace(/<[^>]*>/g, ""), "text/html").body.textContent;
// Returns the text of a page as readers see it, with spaces between blocks.
const pageText = (html) => {
  const [main] = html.match(/<main\b.*<\/main>/s) ?? [html];
  const own = main.replace(/<(script|style|noscript|nav|form|dialog)\b.*?<\/\1>/gs, "");
  const apart = own.replace(/<(?!\/?(a|abbr|b|cite|code|em|i|kbd|mark|q|s|small|span|strong|su[bp]|u)\b)/g, " <");
  return untagged(apart).replace(/\s+/g, " ");
};

const itemTexts = (text) => {
  const [item] = JSON.parse(text).items;
  const { season, episode } = Object.values(item).find(({ podcast }) => podcast)?.podcast ?? {};
  const { content_text, tags = [], authors = [] } = item;
  return [content_text, ...tags, ...authors.map(({ name }) => name), season?.name, episode?.display].map((own) => own ?? "");
};

// Returns the text to show for a document whose text does not match: an item's summary or first
// paragraphs, or a page's description.
const itemAbout = (text) => {
  const [{ summary, content_html = "" }] = JSON.parse(text).items;
  const [before] = content_html.split(/<!--\s*more\b/i);
  return summary ?? [...(before || content_html).matchAll(/<p\b[^>]*>(.*?)<\/p>/gs)].map(([, part]) => untagged(part).trim()).join(" ");
};
const pageAbout = (html) => untagged(html.match(/<meta name="description" content="([^"]*)"/)?.[1] ?? "");

// Returns the content of a document: its text, and other texts by which it is found.
const contents = async ({ signal }, { text, path }) => {
  const read = async (response) => {
    const own = await response.text();
    const texts = [(text ? itemTexts : pageText)(own)].flat().map(composed);
    return Object.assign(texts, { about: (text ? itemAbout : pageAbout)(own).replace(/\s+/g, " ") });
  };
  return load(text ?? path, read, signal);
};

const seconds = (time) => time.replace(",", ".").split(":").reduce((sum, part) => sum * 60 + +part, 0);
// A cue of VTT and SRT ends at an empty line. The text after it is the name of the next cue.
const cue = [/^([\d:]+:\d+[.,]\d+)[ \t]+-->.*$/m, (text) => untagged(text.trimStart().split(/\n\s*\n/)[0])];
// For each format, a pattern for times, and a function that extracts the text between two times.
const formats = [
  cue,
  cue,
  [/"start(?:Time)?"\s*:\s*"?([\d:.]+)/, (text) => [...text.matchAll(/"(?:body|text)"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map((body) => JSON.parse(body[1])).join(" ")],
  [/<time[^>]*>\s*([\d:.,]+)\s*<\/time>/i, (html) => pageText(html.replace(/<cite.*?<\/cite>/gs, ""))],
  // A time at the beginning of a line, or after a name.
  [/^(?:\W|[^\d\n]+(?=[[(]| \S+$).)?(\d+:[\d:.]+)\S*/m, (text) => text],
];

// Returns the text of `count` passages of a document, starting at `number`, with their times: {
// text, times }.
const said = async ({ signal }, { transcripts }, number, count) => {
  for (const [address, format, numbers] of transcripts) {
    const starts = [];
    let byte = 0;
    let time = 0;
    for (let n = 0; n < numbers.length; n += 2) {
      time += Math.max(0, numbers[n]);
      starts.push([(byte += numbers[n + 1]), numbers[n] < 0 ? -1 : time]);
    }
    if (number >= starts.length) {
      number -= starts.length;
      continue;
    }
    const [from, begin] = starts[number];
    const [to = Infinity] = starts[number + count] ?? [];
    const found = { text: "", times: [{ at: 0, time: begin }] };
    const read = async (response) => {
      // A server without range requests sends the whole file. Bytes outside the range are dropped.
      let at = response.status === 206 ? from : 0;
      const chunks = [];
      const reader = response.body.getReader();
      for (let chunk; at < to && !(chunk = await reader.read()).done; at += chunk.value.length) {
        chunks.push(chunk.value.slice(Math.max(0, from - at), Math.max(0, to - at)));
      }
      reader.cancel();
      return (await new Blob(chunks).text()).replaceAll("\r", "");
    };
    try {
      const range = `bytes=${from}-${to < Infinity ? to - 1 : ""}`;
      const [anchor, clean] = formats[format];
      const all = await load(address, read, signal, { range });
      (begin < 0 ? [all] : all.split(anchor)).forEach((part, n) => {
        if (n % 2) found.times.push({ at: found.text.length, time: seconds(part) });
        else if (n || format > 1) found.text += composed(`${clean(part).trim()} `.replace(/\s+/g, " "));
      });
    } catch {
      // Another origin may not allow reading the file. Then only the time is shown.
    }
    return found;
  }
};

// Returns the passages of a document that the index lists, each with the clauses that begin there.
const passagesOf = ({ owners, found }, { document }) => {
  const first = owners.indexOf(document);
  const all = [];
  for (let number = 0; owners[first + number] === document; number += 1) {
    const clauses = found.reduce((bits, { passages }, n) => bits | (passages[first + number] && bit(n)), 0);
    if (clauses) all.push({ number, clauses });
  }
  return all;
};

// Returns whether a document's texts match the clauses that the index alone does not decide.
const holds = async (query, row) => {
  const undecided = query.wanted.filter((clause) => !isDecided(clause));
  let bits = 0;
  const isFound = (text) => {
    bits |= all(marks(text, undecided));
    return ones(bits) === Math.min(undecided.length, 30);
  };
  if (!undecided.length || isFound(row.title)) return true;
  const texts = await contents(query, row).catch(() => []);
  if (texts.some(isFound)) return true;
  const numbers = passagesOf(query, row).map(({ number }) => number);
  // Many passages are fetched in one request.
  const stretches = numbers.length > 6 ? [[numbers[0], numbers.at(-1) - numbers[0] + 2]] : numbers.map((number) => [number, 2]);
  const spoken = await allOf(stretches, ([number, count]) => said(query, row, number, count));
  // A transcript that could not be read may contain the match.
  return spoken.some(({ text }) => !text || isFound(text));
};

// Begins a query. `more` adds a page of results to `hits`. `hasMore` names the further results that
// may exist: "more", or "similar" for words with typos. Similar words are searched only on request,
// or if nothing else is found.
const begin = async (text, signal) => {
  const query = { signal, wanted: clauses(text), hits: [], total: 0 };
  let documents = [];
  if (query.wanted.length) {
    Object.assign(query, await entry(signal));
    documents = await rank(query);
  }
  let next = 0;
  let hasTypos = !query.wanted.every(toleratesTypos) || !query.wanted.some(typosMax);
  const isDecidedAll = (query.isExact = query.wanted.every(isDecided));
  const fill = async (to, show) => {
    for (let looked = 0; query.hits.length < to && next < documents.length && looked < TEXTS_MAX; looked += isDecidedAll ? 0 : PAGE) {
      const batch = documents.slice(next, next + to - query.hits.length);
      next += batch.length;
      // Each result is shown as soon as it and all results before it are known.
      const rows = [];
      let ready = 0;
      await allOf(batch, async (document, n) => {
        const row = await listing(query, document);
        rows[n] = (await holds(query, row)) && row;
        for (; ready in rows; ready += 1) if (rows[ready]) query.hits.push(rows[ready]);
        query.total = isDecidedAll ? documents.length : query.hits.length;
        show();
      });
    }
    const isOver = next >= documents.length;
    query.hasMore = isOver ? !hasTypos && "similar" : "more";
    query.isExact = isDecidedAll || isOver;
  };
  query.more = async (show) => {
    const to = query.hits.length + PAGE;
    const isAsked = query.hasMore === "similar";
    await fill(to, show);
    if (query.hasMore === "similar" && (isAsked || !query.hits.length)) {
      hasTypos = true;
      documents = documents.concat(await rankTypos(query));
      await fill(to, show);
    }
    show();
  };
  return query;
};

// Returns an excerpt of the text that matches best, with its marks.
const textOf = async (query, row) => {
  const found = await contents(query, row);
  const texts = found.map((text) => [text, marks(text, query.wanted)]);
  if (found.about && !texts.some(([, marks]) => marks.length)) return excerpt(found.about, []);
  texts.sort((a, b) => ones(all(b[1])) - ones(all(a[1])));
  return excerpt(...texts[0]);
};

// Maximum number of passages to show for a result.
const SHOWN = 3;
const bestPassages = (query, row) => passagesOf(query, row).sort((a, b) => ones(b.clauses) - ones(a.clauses) || a.number - b.number);

// Returns the passages with their text: { time, text, marks }. The time is in seconds, or negative
// if unknown.
const passagesWithText = async (query, row) => {
  const { wanted } = query;
  const count = wanted.every(isDecided) ? 1 : 2;
  const shown = await allOf(bestPassages(query, row).slice(0, count > 1 ? 9 : SHOWN), async ({ number }) => {
    const { text, times } = await said(query, row, number, count);
    const found = marks(text, wanted);
    if (text && !found.length) return;
    const { time } = times.findLast(({ at }) => at <= (found[0]?.at ?? 0));
    return { number, time, ...excerpt(text, found) };
  });
  return shown.filter(Boolean).slice(0, SHOWN).sort((a, b) => a.number - b.number);
};
