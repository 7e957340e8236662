// Looks at home pages, and at the links from an item to others, in a browser: their edges, their pictures, long titles.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/lists.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, png, rewrite, run, serve, shoot, still, watchMoves } = require("./common.cjs");

const long = "A title of many words ".repeat(46).slice(0, 1000);
const unbroken = "x".repeat(1000);
const about = "A coast, and those who walk it. ".repeat(32);

// A site of eight items with pictures of these dimensions; the item without any is text alone.
const shapes = [[900, 600], [600, 600], undefined, [1200, 400], [600, 900], [900, 600], [600, 600], [800, 600]];
const made = (config, { title = (at) => `Item ${at}`, sizes = shapes, language = "en", isPhoto = false } = {}) => build("small-site", (site) => {
  rewrite(site, "site.toml", () => `base_url = "https://example.com"\n${config}\n`);
  fs.writeFileSync(path.join(site, "content/channel.md"), `+++\ntitle = "The coast"\nlanguage = "${language}"\n+++\n${about}\n`);
  const items = path.join(site, "content/items");
  for (const folder of ["items", "pages", "calendars"]) fs.rmSync(path.join(site, "content", folder), { recursive: true, force: true });
  sizes.forEach((size, at) => {
    const item = path.join(items, `i${at}`);
    fs.mkdirSync(item, { recursive: true });
    if (size) fs.writeFileSync(path.join(item, "picture.png"), png(...size));
    const picture = size ? `image = { url = "picture.png", alt = "Colours" }\n${isPhoto ? 'attachment = "picture.png"\n' : ""}` : "";
    fs.writeFileSync(path.join(item, "index.md"), `+++\nid = "item0000000${at}"\nslug = "i${at}"\ntitle = "${title(at)}"\ndate_published = "2026-03-${20 - at}"\ntags = ["coast"]\n${picture}+++\nA text about it.\n`);
  });
});

const layouts = { list: 'theme = "default"', cards: 'theme = "default"\ntheme_options = { home = "cards" }' };
const open = async (page, base, to, width, height = 900) => {
  await page.setViewportSize({ width, height });
  await page.goto(base + to);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${to} is ${over} wider than ${width}`);
};
// Where the boxes of a page begin, seen from the side where its lines begin.
const starts = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => {
  const { left, right } = one.getBoundingClientRect();
  return Math.round(getComputedStyle(document.documentElement).direction === "rtl" ? document.documentElement.clientWidth - right : left);
}));
const boxes = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => {
  const { top, bottom, width, height } = one.getBoundingClientRect();
  return { top, bottom, width, height, isThere: one.tagName !== "IMG" || one.complete };
}));

const ofHome = {
  async "everything has one left edge, and the name is shown once"({ page, base, sites, name }) {
    for (const site of ["pictures", "text", "rtl"]) {
      for (const width of [320, 390, 768, 1440]) {
        await open(page, sites[site], "/", width);
        // The picture of a large card is beside its title.
        const lead = name === "cards" && site !== "text" ? "" : ".lead-item .entry-title, ";
        const edges = await starts(page, `${lead}.brand, .channel-about, .channel .chip-main, .lead-item .kicker, .lead-item .frame, .footer > :first-child`);
        const ofEntries = await starts(page, ".entries > .entry > .body");
        edges.push(Math.min(...ofEntries));
        assert.ok(edges.length >= 6);
        assert.deepEqual([...new Set(edges)], [edges[0]], `${site} at ${width}: ${edges}`);
      }
      const names = await page.getByText("The coast", { exact: true }).evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().width > 2 && one.getBoundingClientRect().top < 400).length);
      assert.equal(names, 1, "the name is shown once");
    }
    await page.goto(base);
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "The coast");
  },

  async "the latest item begins with its picture, or with its text"({ page, sites }) {
    for (const width of [320, 1440]) {
      await open(page, sites.pictures, "/", width);
      const [picture] = await boxes(page, ".lead-item .frame");
      const [title] = await boxes(page, ".lead-item .entry-title");
      assert.ok(picture.width > 250 && picture.top < title.bottom, `${width}: ${picture.width}`);
      await open(page, sites.text, "/", width);
      assert.equal(await page.locator(".lead-item img").count(), 0);
      const [kicker] = await boxes(page, ".lead-item .kicker");
      const [text] = await boxes(page, ".lead-item .entry-title");
      assert.ok(text.top - kicker.bottom < 60, "no place is kept for a picture");
    }
  },

  async "titles of 1,000 letters overlap nothing"({ page, sites, name }) {
    for (const width of [320, 1440]) {
      await open(page, sites.long, "/", width);
      for (const title of await boxes(page, ".entry-title")) assert.ok(title.height < 300, `${width}: ${title.height}`);
      const entries = await boxes(page, ".entries > .entry");
      for (const entry of entries) for (const other of entries) if (other.top > entry.top + 1) assert.ok(other.top >= entry.bottom - 1, `${width}: ${other.top} is above ${entry.bottom}`);
      await accessible(page, `${name} ${width}`);
      await shoot(page, `${name}-long-${width}`, { fullPage: true });
    }
  },

  async "nothing moves, even where a page comes slowly"({ browser, sites, name }) {
    for (const at of ["img 1", "img 2", "article 3"]) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders: { "stop-before": at } });
      const page = await context.newPage();
      await watchMoves(page);
      await page.goto(sites.pictures, { waitUntil: "load" });
      await still(page, `${name} ${at}`);
      await context.close();
    }
  },
};

const ofCards = {
  async "each card begins with its picture, as wide as the card"({ page, base }) {
    for (const [width, columns] of [[320, 1], [768, 2], [1440, 3]]) {
      await open(page, base, "/", width);
      const cards = await page.locator(".entries > .with-cover").evaluateAll((all) => all.map((card) => {
        const [whole, picture, text] = [card, card.querySelector(".frame"), card.querySelector(".rail")].map((one) => one.getBoundingClientRect());
        return { left: whole.left, top: picture.top - whole.top, width: picture.width / whole.width, ratio: picture.width / picture.height, below: text.top - picture.bottom };
      }));
      assert.equal(cards.length, 6);
      for (const { top, width: share, ratio, below } of cards) {
        assert.ok(Math.abs(top) < 1 && Math.abs(share - 1) < 0.01 && Math.abs(ratio - 1.5) < 0.02 && below > 4, `${width}: ${JSON.stringify({ top, share, ratio, below })}`);
      }
      const all = await starts(page, ".entries > .entry");
      assert.equal(new Set(all).size, columns, `${width}: ${all}`);
    }
    // The picture leads to the item as the title does.
    await page.locator(".entries > .with-cover").first().click({ position: { x: 40, y: 40 } });
    await page.waitForURL("**/i/i1/");
  },
};

const themes = ["default", "podcast", "photos", "notes"];
const ofLinks = {
  async "related items and neighbours have pictures of the right size"({ page, base, theme }) {
    for (const width of [390, 1280]) {
      await open(page, base, "/i/i4/", width);
      await page.locator(".related").scrollIntoViewIfNeeded();
      const links = await page.locator(".related li").evaluateAll((all) => all.map((one) => {
        const img = one.querySelector("img");
        const { width, height } = img?.getBoundingClientRect() ?? {};
        return img && { width, height, of: one.getBoundingClientRect().width, ratio: img.getAttribute("width") / img.getAttribute("height"), lazy: img.loading, alt: img.alt };
      }));
      assert.deepEqual(links.map(Boolean), [true, true, false], "the third related item has no picture");
      for (const { width: shown, height, of, ratio, lazy, alt } of links.filter(Boolean)) {
        assert.deepEqual([lazy, alt], ["lazy", ""]);
        assert.ok(ratio > 0.5, "the dimensions are known before the picture comes");
        const wanted = width === 390 ? 72 : of;
        assert.ok(Math.abs(shown - wanted) < 1.5, `${theme} at ${width}: ${shown} instead of ${wanted}`);
        if (width === 390) assert.ok(Math.abs(height - 72) < 1, `${height}`);
        if (theme === "photos" && width > 390) assert.ok(Math.abs(shown / height / ratio - 1) < 0.05, `${shown} × ${height} instead of ${ratio}`);
      }
      assert.equal(await page.locator(".neighbours img").count(), 2);
      for (const { width: shown, height } of await boxes(page, ".neighbours img")) assert.ok(shown >= 40 && height >= 64 && shown <= 161, `${shown} × ${height}`);
      // What is loaded is a small size.
      await page.locator(".neighbours").scrollIntoViewIfNeeded();
      await page.waitForFunction(() => [...document.querySelectorAll(".neighbours img")].every(({ complete, naturalWidth }) => complete && naturalWidth > 0));
      const sources = await page.locator(".neighbours img").evaluateAll((all) => all.map(({ currentSrc }) => currentSrc));
      for (const source of sources) assert.match(source, /picture-240\./);
      for (const { height } of await page.locator(".related li, .neighbours a").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))) assert.ok(height >= 44, `${height} is too low to touch`);
      await accessible(page, `${theme} ${width}`);
      await shoot(page, `links-${theme}-${width}`, { fullPage: true });
    }
  },

  async "the links of titles of 1,000 letters stay short"({ page, long, theme }) {
    for (const width of [320, 1280]) {
      await open(page, long, "/i/i4/", width);
      for (const { height } of await boxes(page, ".related li > a > span, .neighbours a > span:last-child")) assert.ok(height < 110, `${theme} at ${width}: ${height}`);
      const items = await boxes(page, ".related li, .neighbours");
      for (const item of items) for (const other of items) if (other.top > item.top + 1) assert.ok(other.top >= item.bottom - 1, `${theme} at ${width}`);
    }
  },
};

const heroes = { wide: [900, 600], upright: [600, 1000], panorama: [1200, 400] };
const ofPhotos = {
  async "the first picture is whole on the first screen"({ page, bases }) {
    for (const [name, base] of Object.entries(bases)) {
      for (const [width, height] of [[1440, 900], [390, 844], [320, 640]]) {
        await open(page, base, "/", width, height);
        const [shown] = await boxes(page, ".lead-shot picture > img");
        const [w, h] = heroes[name];
        assert.ok(shown.top >= 0 && shown.bottom <= height, `${name} at ${width}: from ${shown.top} to ${shown.bottom}`);
        assert.ok(Math.abs(shown.width / shown.height / (w / h) - 1) < 0.02, `${name} at ${width}: ${shown.width} × ${shown.height}`);
        assert.ok(Math.max(shown.width / width, shown.height / height) > 0.6, `${name} at ${width} is large: ${shown.width} × ${shown.height}`);
        await accessible(page, `${name} ${width}`);
      }
    }
  },
};

// A folder for each site, which goes when the test ends.
process.setMaxListeners(50);

(async () => {
  const options = { workers: 2, options: { colorScheme: "light", reducedMotion: "reduce" } };
  const all = {};
  const add = (name, steps, given) => {
    for (const [step, take] of Object.entries(steps)) all[`${name}: ${step}`] = (one) => take({ ...one, ...given });
  };
  for (const [name, config] of Object.entries(layouts)) {
    const sites = {};
    const kinds = { pictures: {}, text: { sizes: shapes.map(() => undefined) }, rtl: { language: "ar" }, long: { title: (at) => (at % 2 ? long : unbroken) } };
    for (const [kind, how] of Object.entries(kinds)) sites[kind] = await serve(made(config, how));
    add(`home, ${name}`, { ...ofHome, ...(name === "cards" && ofCards) }, { sites, base: sites.pictures, name });
  }
  for (const theme of themes) {
    const isPhoto = theme === "photos";
    const base = await serve(made(`theme = "${theme}"`, { isPhoto }));
    const inLong = await serve(made(`theme = "${theme}"`, { isPhoto, title: (at) => (at % 2 ? long : unbroken) }));
    add(`links, ${theme}`, ofLinks, { base, long: inLong, theme });
  }
  const bases = {};
  for (const [name, size] of Object.entries(heroes)) bases[name] = await serve(made('theme = "photos"', { sizes: [size, ...shapes.slice(1)], isPhoto: true }));
  add("photos", ofPhotos, { bases });
  await run(all, {}, options);
})();
