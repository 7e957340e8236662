// Holds every kind of page, in every theme that comes with the program, to the rules that all of them share.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/pages.cjs <feedwright> [<screenshots>]
//
// Each page, in light and dark, narrow and wide: WCAG 2.2 AA by axe-core, where it is installed; nothing scrolls
// sideways or moves while it loads; nothing comes from elsewhere, no cookie is set, a strict content security policy
// holds; HTML, CSS and JavaScript are at most 40 KB compressed; all that can be used is reached by Tab and shows it;
// and it can be read and printed without JavaScript.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { axe, folder: screenshots, handled, serve, silence, still, watchMoves, weight: sizeOf, withBrowser } = require("./common.cjs");
const { build, withOtherKinds } = require("./show.cjs");

const themes = ["default", "podcast", "photos", "notes"];

// A page of each kind: what it is, and where.
const pages = {
  home: "/",
  "second page": "/page/2/",
  tags: "/tags/",
  tag: "/tags/walks/",
  season: "/season/2/",
  author: "/author/maren-voss/",
  archive: "/archive/",
  subscribe: "/subscribe/",
  search: "/search/",
  "search, found": "/search/?q=buoy",
  post: "/i/what-we-carry/",
  note: "/i/short/",
  link: "/i/tide-tables/",
  audio: "/i/harbour-lights/",
  clip: "/i/harbour-lights/clips/402-423/",
  "audio, plain": "/i/mudflats/",
  photo: "/i/photo/",
  video: "/i/film/",
  document: "/i/paper/",
  "video card": "/i/card/",
  hostile: "/i/hostile/",
  "right to left": "/i/arabic/",
  Page: "/about/",
  "Page in a folder": "/tides/",
  "long words": "/i/long-words/",
  "clip of long words": "/i/long-words/clips/2-23/",
  "tag of a long word": "/tags/kraftfahrzeughaftpflichtversicherung/",
  "season of long words": "/season/3/",
  "Page of long words": "/long-words/",
  "series of a long word": "/series/kraftfahrzeughaftpflichtversicherung/",
  "part of a series": "/i/long-text/",
  "nothing but a title": "/i/bare-title/",
  "nothing but text": "/i/bare-text/",
  "nothing but a link": "/i/bare-link/",
  "nothing but sound": "/i/bare-sound/",
  "nothing but a photo": "/i/bare-photo/",
  "nothing but a film": "/i/bare-film/",
  "nothing but a document": "/i/bare-document/",
  "nothing of them": "/tags/bare/",
  missing: "/no/such/page/",
  embed: "/i/harbour-lights/embed/",
  "embedded film": "/i/film/embed/",
  feed: "/rss.xml",
};

// Words that are longer than a phone is wide, in every field that is shown. They stand in lists, beside neighbours and
// in the head of every page too.
const word = "Kraftfahrzeughaftpflichtversicherung";
const longer = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzlich";
const withLongWords = (site) => {
  const item = path.join(site, "content/items/long-words");
  fs.mkdirSync(item);
  fs.writeFileSync(path.join(item, "sound.wav"), silence(60));
  fs.writeFileSync(path.join(item, "said.vtt"), `WEBVTT\n\n00:00.000 --> 00:09.000\n<v ${longer}>${longer}.\n`);
  fs.writeFileSync(path.join(item, "index.md"), `+++
id = "longwords"
slug = "long-words"
title = "${longer}"
date_published = "2026-04-15T06:10:00Z"
attachment = "sound.wav"
tags = ["${word}", "walks"]
authors = ["${longer}"]
series = "${word}"

[podcast]
season = { number = 3, name = "${longer}" }
episode = { number = 7, display = "${word.slice(0, 32)}" }
transcripts = ["said.vtt"]
soundbites = [{ startTime = 2, duration = 21, title = "${longer}" }]
location = { name = "${longer}", geo = "geo:59.287,18.913" }
people = [{ name = "${longer}", role = "host" }, { name = "Maren ${word}", role = "guest", href = "https://tides.example/about/" }]
chapters = [{ startTime = 0, title = "${longer}" }, { startTime = 9, title = "One", location = { name = "${longer}", geo = "geo:59.287,18.913" } }]
+++
${longer}, and ${word}.

## ${longer}

| ${word} | Two |
| --- | --- |
| One | ${longer} |
`);
  fs.writeFileSync(path.join(site, "content/items/long-text.md"), `+++\nid = "longtext"\nslug = "long-text"\ntitle = "The ${word}"\ndate_published = "2026-04-13T06:10:00Z"\ntags = ["${word}"]\nseries = "${word}"\n+++\n${longer} and ${word}.\n`);
  fs.writeFileSync(path.join(site, "content/items/card.md"), `+++\nid = "videocard"\nslug = "card"\ntitle = "A film elsewhere"\ndate_published = "2026-04-12T06:10:00Z"\n+++\n[How a ${word} turns](https://youtu.be/aqz-KE-bpKQ)\n\nhttps://www.youtube.com/shorts/aqz-KE-bpKQ\n\n[${longer}](long-words/sound.wav)\n`);
  fs.writeFileSync(path.join(site, "content/pages/long-words.md"), `+++\ntitle = "${longer}"\nslug = "long-words"\nshow_in_navigation = true\nnavigation_label = "${word}"\n+++\n${longer}.\n`);
};

// Items that have neither title, date nor author, but one thing each.
const withBareItems = (site) => {
  const items = path.join(site, "content/items");
  const write = (name, fields, text = "") => fs.writeFileSync(path.join(items, `bare-${name}.md`), `+++\nid = "bare${name}"\nslug = "bare-${name}"\nstatus = "published"\ntags = ["bare"]\n${fields}\n+++\n${text}`);
  write("title", 'title = "Nothing but a title"');
  write("text", "", "Nothing but text.\n");
  write("link", 'url = "https://tides.example/bare/"');
  write("sound", 'attachment = "bare.wav"');
  fs.writeFileSync(path.join(items, "bare.wav"), silence(9));
  for (const [name, from] of [["photo", "photo"], ["film", "film"], ["document", "paper"]]) {
    const [, file] = fs.readFileSync(path.join(items, from, "index.md"), "utf8").match(/^attachment = (?:\{ url = )?"([^"]+)"/m);
    write(name, `attachment = "${from}/${file}"`);
  }
};

// A tree: a folder with a Page of its own and one without, and a group within.
const withGuide = (site) => {
  for (const [name, more] of [["guide", ""], ["guide/tides", 'navigation_group = "By the sea"'], ["guide/boots", ""], ["field-notes/mud", `navigation_group = "${longer}"`]]) {
    const file = path.join(site, `content/pages/${name}.md`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `+++\ntitle = "The ${path.basename(name)}"\n${more}\n+++\n${["## One", "## Two", "## Three"].map((title) => `${title}\n\n${"A text about it. ".repeat(70)}\n`).join("\n")}`);
  }
};

const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self'", "connect-src 'self'",
  "font-src 'self'", "form-action 'self'", "base-uri 'none'", "object-src 'none'",
].join("; ");
const budget = 40_000;
const usable = "a[href], button, input, select, textarea, summary, audio[controls], video[controls], iframe, [tabindex='0']";

// Runs in each page before its own scripts: what the policy refused, what had the focus.
const watch = () => {
  globalThis.refused = [];
  globalThis.reached = new Map();
  addEventListener("securitypolicyviolation", (event) => globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`));
  addEventListener("focusin", ({ target }) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const isSeen = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    // Players of the browser show it within.
    globalThis.reached.set(target, isSeen || ["AUDIO", "VIDEO", "IFRAME"].includes(target.tagName));
  });
};

const listen = (page, base, complaints) => {
  const weights = new Map();
  page.on("console", (message) => {
    // That the page is missing is what is asked for, and a page for frames names no icon.
    const isMissing = /\/(no\/such\/page\/|favicon\.ico)$/.test(message.location().url);
    if (["error", "warning"].includes(message.type()) && !isMissing) complaints.push(message.text().slice(0, 160));
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !url.startsWith("data:")) complaints.push(`asks for ${url}`);
  });
  page.on("response", async (response) => {
    if (!["document", "stylesheet", "script"].includes(response.request().resourceType())) return;
    // What is said is not counted.
    const body = response.body().then((bytes) => String(bytes).replace(/<div class="said-text".*?<\/div>/s, ""), () => "");
    weights.set(response.url(), body.then(sizeOf));
  });
  return weights;
};

const settled = async (page, address) => {
  await page.goto(address, { waitUntil: "load" });
  if (address.endsWith("?q=buoy")) await page.locator("main .mf-public-search-result").first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await handled(page);
};

const sideways = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isWide = (one) => one.getBoundingClientRect().right > clientWidth + 1;
  return scrollWidth > clientWidth ? [...document.querySelectorAll("body *")].filter(isWide).map((one) => one.outerHTML.slice(0, 100)).slice(0, 5) : [];
});

// By all rules in the first scheme; in the other, by those that look at colours.
const accessible = async (page, isFirst) => {
  if (!axe()) return [];
  const runOnly = isFirst ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] : { type: "rule", values: ["color-contrast", "link-in-text-block"] };
  if (isFirst) await page.evaluate(axe());
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), { runOnly, resultTypes: ["violations"], preload: false });
  return violations.map(({ id, nodes }) => `axe: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
};

// What Tab does not reach, and what does not show that it did.
const byKeyboard = async (page) => {
  const count = await page.evaluate((usable) => [...document.querySelectorAll(usable)].length, usable);
  await page.evaluate(() => document.activeElement?.blur());
  for (let presses = 0, last = 0; presses < count * 3 + 40; presses += 1) {
    await page.keyboard.press("Tab");
    if (presses % 20 !== 19) continue;
    const now = await page.evaluate(() => globalThis.reached.size);
    if (now === last) break;
    last = now;
  }
  return page.evaluate((usable) => {
    const isThere = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0 && !one.closest("[inert]");
    const missed = [...document.querySelectorAll(usable)].filter((one) => isThere(one) && !globalThis.reached.has(one));
    const unseen = [...globalThis.reached].filter(([, isSeen]) => !isSeen).map(([one]) => one);
    const told = (what, all) => all.map((one) => `${what}: ${one.outerHTML.slice(0, 120)}`);
    return [...told("Tab does not reach", missed), ...told("shows no focus", unseen)];
  }, usable);
};

const look = async (browser, base, theme, kind) => {
  const address = base + pages[kind];
  const isFeed = kind === "feed";
  const faults = [];
  let weight = 0;
  for (const width of [320, 1280]) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    context.setDefaultTimeout(15000);
    await context.addInitScript(watch);
    await watchMoves(context);
    const page = await context.newPage();
    const complaints = [];
    const weights = listen(page, base, complaints);
    await settled(page, address);
    await still(page).catch(({ message }) => complaints.push(message));
    complaints.push(...(await page.evaluate(() => globalThis.refused)));
    if ((await context.cookies()).length) complaints.push("sets a cookie");
    weight = (await Promise.all(weights.values())).reduce((sum, one) => sum + one, 0);
    if (weight > budget) complaints.push(`${weight} bytes`);
    // Colours do not depend on the width.
    for (const colorScheme of width === 320 && !screenshots ? ["light"] : ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const wide = await sideways(page);
      if (wide.length) complaints.push(`scrolls sideways: ${wide.join(" | ")}`);
      // axe-core reads HTML alone.
      if (!isFeed) complaints.push(...(await accessible(page, colorScheme === "light")));
      // A picture of XML never comes.
      if (screenshots && !isFeed) await page.screenshot({ path: path.join(screenshots, `${theme}-${kind.replace(/\W+/g, "-")}-${width}-${colorScheme}.png`), fullPage: true });
    }
    if (!isFeed && width === 1280) complaints.push(...(await byKeyboard(page)));
    faults.push(...complaints.map((one) => `${theme}, ${kind}, ${width}: ${one}`));
    await context.close();
  }
  return { faults, weight };
};

// Little may move if a page loads slowly, wherever in its main part it pauses. The page is written block by block, and
// after each block, the visible elements are measured as in the Layout Instability API
// (https://wicg.github.io/layout-instability/). The footer is written tag by tag, and nothing in it may move.
const writeSlowly = async () => {
  const [head, main, foot] = (await (await fetch(location.href)).text()).split(/(?=<main)|(?<=<\/main>)/);
  const [footer, rest] = foot.split(/(?<=<\/footer>)/);
  document.open();
  document.write(head);
  const coming = [...document.querySelectorAll("link[rel=stylesheet]")].filter(({ sheet }) => !sheet);
  await Promise.all(coming.map((one) => new Promise((done) => { one.onload = done; })));
  const shown = ({ left, top, right, bottom }) =>
    Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0)) * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  const places = new Map();
  const stops = [];
  const blocks = /(?=<(?:article|aside|details|div|dl|figure|footer|form|h\d|header|img|li|main|nav|ol|p|picture|section|table|ul|video)\b)/;
  const pieces = [...main.split(blocks).map((piece) => [piece, 0.02]), ...footer.split(/(?=<)/).map((piece) => [piece, 0])];
  for (const [piece, limit] of pieces) {
    document.write(piece);
    const moved = new Set();
    const stop = { shift: 0, before: piece.slice(0, 80), moved: [] };
    for (const one of document.body.querySelectorAll("*")) {
      const before = places.get(one);
      const isSeen = one.checkVisibility({ visibilityProperty: true });
      const now = one.getBoundingClientRect();
      places.set(one, isSeen && now);
      // Cards share the width of their row, and get less of it with each that comes.
      if (!before || !isSeen || one.closest(".shot, .text-card")) continue;
      const distance = Math.max(Math.abs(now.left - before.left), Math.abs(now.top - before.top));
      if (distance < 3) continue;
      moved.add(one);
      // What stands in it moves with it.
      if (moved.has(one.parentElement)) continue;
      const union = {
        left: Math.min(now.left, before.left), top: Math.min(now.top, before.top),
        right: Math.max(now.right, before.right), bottom: Math.max(now.bottom, before.bottom),
      };
      stop.shift += (shown(union) / (innerWidth * innerHeight)) * (distance / Math.max(innerWidth, innerHeight));
      stop.moved.push(`${one.outerHTML.slice(0, 80)} by ${Math.round(distance)} pixels`);
    }
    if (stop.shift > limit) stops.push(stop);
  }
  document.write(rest ?? "");
  document.close();
  return stops;
};
const slowly = async (browser, base, theme, kind) => {
  const complaints = [];
  const page = await browser.newPage();
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(base + pages[kind]);
    for (const stop of await page.evaluate(writeSlowly)) complaints.push(`${theme}, ${kind}, ${width}, slowly: layout shift ${JSON.stringify(stop, null, 1)}`);
  }
  await page.close();
  return complaints;
};

const withoutScripts = async (browser, base, theme, kind) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 700 }, javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints = [];
  listen(page, base, complaints);
  await page.goto(base + pages[kind]);
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) complaints.push("scrolls sideways");
  await page.emulateMedia({ media: "print" });
  const text = await page.evaluate(() => (document.querySelector("main") ?? document.documentElement).innerText ?? document.documentElement.textContent);
  if (text.trim().length < 5) complaints.push("nothing to print");
  const paper = await page.pdf({ format: "A4" });
  if (paper.length < 3000) complaints.push(`an empty sheet of ${paper.length} bytes`);
  await context.close();
  return complaints.map((one) => `${theme}, ${kind}, without JavaScript: ${one}`);
};

withBrowser(async (browser) => {
  const faults = [];
  const weights = {};
  for (const theme of themes) {
    const base = await serve(build(theme, (site) => {
      withOtherKinds(site);
      withLongWords(site);
      withBareItems(site);
      withGuide(site);
    }), { headers: { "content-security-policy": policy } });
    const left = Object.keys(pages);
    const worker = async () => {
      for (let kind; (kind = left.shift()); ) {
        const seen = await look(browser, base, theme, kind);
        faults.push(...seen.faults, ...(await withoutScripts(browser, base, theme, kind)));
        if (kind !== "feed") faults.push(...(await slowly(browser, base, theme, kind)));
        weights[kind] = { ...weights[kind], [theme]: seen.weight };
      }
    };
    await Promise.all(Array.from({ length: 3 }, worker));
  }
  console.log(`HTML, CSS and JavaScript of each page, in bytes compressed with gzip, of ${budget} at most:`);
  for (const kind of Object.keys(pages)) console.log(`   ${kind.padEnd(15)}${themes.map((theme) => ` ${theme} ${weights[kind]?.[theme]}`).join("")}`);
  if (faults.length) throw Error(faults.join("\n\n"));
  console.log(`ok: ${Object.keys(pages).length} kinds of pages in ${themes.join(" and ")}`);
});
