// Looks at a photo log in a browser: the grid, galleries in texts, and the viewer by keys, buttons and swipes.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/photos.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, fixtures, png, rewrite, run, serve, shoot, still, watchMoves, weight } = require("./common.cjs");

// What a camera wrote into a photo.
const exif = () => {
  const photo = fs.readFileSync(path.join(fixtures, "../../crates/media-facts/tests/fixtures/photo.png"));
  const at = photo.indexOf("eXIf");
  return photo.subarray(at + 4, at + 4 + photo.readUInt32BE(at - 4));
};

// Of its own kind each: wide, upright, square, very wide, very upright, small, a panorama, a long screen.
const dimensions = [[900, 600], [600, 900], [640, 640], [1200, 400], [300, 900], [800, 600], [600, 800], [960, 540], [320, 240], [1700, 400], [360, 1400]];
const day = (at) => `2026-03-${String(28 - at).padStart(2, "0")}T10:00:00Z`;
const write = (site, name, text, pictures) => {
  const item = path.join(site, "content/items", name);
  fs.mkdirSync(item, { recursive: true });
  fs.writeFileSync(path.join(item, "index.md"), text);
  for (const [file, size] of Object.entries(pictures)) fs.writeFileSync(path.join(item, file), png(...size));
};
// The theme photos, and its rows in another one.
const themes = { photos: 'theme = "photos"', default: 'theme_options = { home = "photos" }' };
// Facts about photos, and an album of three.
const photoSettings = `[images]
show = ["camera", "lens", "exposure", "date", "location"]
[[albums]]
tag = "bay"
title = "Around the bay"
description = "In three days."
cover = "p8"
`;
const built = (theme) => build("small-site", (site) => {
  rewrite(site, "site.toml", (text) => `${themes[theme]}\n${text.replace("items_per_page = 4", "items_per_page = 40").replace("limit = 6", "limit = 40")}\n${photoSettings}`);
  dimensions.forEach((size, at) => {
    const title = at === 2 ? "" : `title = "Picture ${at}"\n`;
    const tags = at > 6 && at < 10 ? 'tags = ["bay"]\n' : "";
    write(site, `p${at}`, `+++\nid = "picture0000${at}"\n${title}${tags}slug = "p${at}"\ndate_published = "${day(at)}"\nimage = { url = "photo.png", alt = "Colours ${at}" }\nattachment = { url = "photo.png" }\n+++\nWhere it was taken.\n`, { "photo.png": at === 0 ? [...size, ["eXIf", exif()]] : size });
  });
  // Galleries of two and more, of pictures of all shapes; the last one stands alone in the last row of some.
  const shapes = { a: [900, 600], b: [600, 900], c: [640, 640], d: [800, 600], w: [1700, 400] };
  const galleries = ["aa", "ab", "abc", "aaa", "aaaa", "abca", "bbbb", "bbbbbbb", "cccccb", "abcdab", "dddddddb", "wb", "wwa", "awb", "cw"];
  const rows = galleries.map((names) => [...names].map((name) => `![${name}](${name}.png)`).join(" ")).join("\n\nBetween.\n\n");
  const files = Object.fromEntries(Object.entries(shapes).map(([name, size]) => [`${name}.png`, size]));
  write(site, "rows", `+++\nid = "rows00000001"\ntitle = "Rows"\nslug = "rows"\nstatus = "unlisted"\ndate_published = "${day(0)}"\n+++\n${rows}\n`, files);
  const text = '![One](a.png) ![Two](b.png "The second")\n[![Three](c.png)](c.png)\n\n![Alone](a.png "It stands alone")\n\nA line ![with one](b.png) in it.\n';
  write(site, "essay", `+++\nid = "essay0000001"\ntitle = "An essay"\nslug = "essay"\ndate_published = "${day(dimensions.length)}"\n+++\n${text}`, { "a.png": [900, 600], "b.png": [600, 900], "c.png": [640, 640] });
});

// Where pictures of the grid are, and how they should be.
const shots = (page) => page.evaluate(() => [...document.querySelectorAll(".entries .shot")].map((shot) => {
  const img = shot.querySelector("picture > img");
  const { y, width, height } = img.getBoundingClientRect();
  return { y, width, height, hasRatio: shot.hasAttribute("data-ratio"), wanted: img.getAttribute("width") / img.getAttribute("height") };
}));
const keepProportions = (all, tolerance, name) => {
  assert.ok(all.length > 5, `${name}: ${all.length} pictures`);
  for (const { width, height, wanted } of all) assert.ok(Math.abs(width / height / wanted - 1) < tolerance, `${name}: ${width} × ${height} instead of ${wanted}`);
};
const place = (page) => page.locator(".viewer [data-place]").textContent();
const isPlaced = (page, text) => page.waitForFunction((text) => document.querySelector(".viewer[open] [data-place]")?.textContent === text, text);
// The picture is where the place says.
const isShown = (page, at) => page.waitForFunction((at) => {
  const strip = document.querySelector(".viewer-strip");
  return Math.abs(Math.abs(strip.scrollLeft) - at * strip.clientWidth) < 2 && strip.children[at].inert === false && strip.querySelectorAll(":scope > :not([inert])").length === 1;
}, at);
const isClosed = (page) => page.waitForFunction(() => !document.querySelector(".viewer[open]") && !history.state?.viewer);
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("href") ?? document.activeElement.alt);
const shot = (page, at) => page.locator(`[data-view][href$="/i/p${at}/"]`);
const ready = (page) => page.locator(".viewer").waitFor({ state: "attached" });
// With that of small-site.
const count = dimensions.length + 1;

const steps = {
  async "the grid keeps proportions, and nothing moves"({ page, base }) {
    await watchMoves(page);
    for (const width of [320, 390, 768, 1280, 2000]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(base, { waitUntil: "networkidle" });
      const all = await shots(page);
      keepProportions(all, 0.01, width);
      const rows = [...new Set(all.map(({ y }) => Math.round(y)))].map((top) => all.filter(({ y }) => Math.round(y) === top));
      for (const row of rows) for (const { height } of row) assert.ok(Math.abs(height - row[0].height) < 1.5, `${width}: ${height} beside ${row[0].height}`);
      if (width >= 768) assert.ok(rows.some((row) => row.length > 2), `${width}: rows of ${rows.map((row) => row.length)}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${over} wider than ${width}`);
      await still(page, width);
      await shoot(page, `photos-home-${width}`, { fullPage: true });
    }
  },

  async "nothing moves either where a page comes slowly"({ browser, base }) {
    const stopped = async (address, at) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, extraHTTPHeaders: { "stop-before": at } });
      const page = await context.newPage();
      await watchMoves(page);
      await page.goto(`${base}${address}`, { waitUntil: "load" });
      await still(page, `${address} ${at}`);
      assert.ok(await page.locator(":is(.entries, .gallery) img:not(.stand-in)").last().isVisible());
      await context.close();
    };
    const stops = ["article 2", "article 3", "article 6"].map((at) => ["/", at]).concat(["figure 1", "figure 2", "figure 3"].map((at) => ["/i/essay/", at]));
    await Promise.all(stops.map((one) => stopped(...one)));
  },

  async "browsers that read no numbers from attributes go by the rounded proportions"({ page, base }) {
    await page.goto(base);
    await page.evaluate(() => document.querySelectorAll(".shot").forEach((one) => one.removeAttribute("data-width")));
    // One that is too small for sizes has none.
    keepProportions((await shots(page)).filter(({ hasRatio }) => hasRatio), 0.04, "rounded");
  },

  async "a caption shows on focus and where nothing can hover, and is always read"({ browser, page, base }) {
    await page.goto(base);
    const caption = shot(page, 1).locator(".shot-text");
    const opacity = () => caption.evaluate((one) => getComputedStyle(one).opacity);
    assert.equal(await opacity(), "0");
    assert.ok(await page.getByRole("link", { name: /^Colours 1 Picture 1 Mar 27/ }).count());
    await shot(page, 1).focus();
    assert.equal(await opacity(), "1");
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    const phone = await context.newPage();
    await phone.goto(base);
    assert.equal(await shot(phone, 1).locator(".shot-text").evaluate((one) => getComputedStyle(one).opacity), "1");
    await context.close();
  },

  async "keys go through the pictures, and Escape goes back to the one seen last"({ page, base }) {
    await page.goto(base);
    await ready(page);
    const entries = await page.evaluate(() => history.length);
    await shot(page, 1).focus();
    await page.keyboard.press("Enter");
    await isPlaced(page, `2 of ${count}`);
    await isShown(page, 1);
    await page.keyboard.press("ArrowRight");
    await isPlaced(page, `3 of ${count}`);
    await isShown(page, 2);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await isPlaced(page, `1 of ${count}`);
    await isShown(page, 0);
    assert.equal(await page.getByRole("button", { name: "Previous" }).count(), 0);
    await page.keyboard.press("End");
    await isPlaced(page, `${count} of ${count}`);
    await isShown(page, count - 1);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await isShown(page, 3);
    const loaded = await page.locator(".viewer-strip > li:nth-child(5) img").getAttribute("loading");
    assert.equal(loaded, "eager");
    await shoot(page, "photos-viewer");
    const [screen, large] = [page.viewportSize(), await page.locator(".viewer li:not([inert]) img").boundingBox()];
    assert.ok(large.height > screen.height * 0.7, `${large.height} high`);
    assert.ok(Math.abs(large.x + large.width / 2 - screen.width / 2) < 10, `at ${large.x}`);
    await page.keyboard.press("Escape");
    await isClosed(page);
    await page.waitForFunction(() => document.activeElement.href?.endsWith("/i/p3/"));
    assert.ok((await page.evaluate(() => history.length)) <= entries + 1);
    assert.equal(new URL(page.url()).pathname, "/");
  },

  async "where lines run from right to left, so do the pictures"({ page, base }) {
    await page.goto(base);
    await ready(page);
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    await shot(page, 1).click();
    await isPlaced(page, `2 of ${count}`);
    await page.keyboard.press("ArrowLeft");
    await isPlaced(page, `3 of ${count}`);
    await isShown(page, 2);
  },

  async "buttons do the same, the way back closes it, and its caption leads to the picture's page"({ page, base, theme }) {
    await page.goto(base);
    await ready(page);
    await shot(page, 0).click();
    await page.getByRole("button", { name: "Next" }).click();
    await isPlaced(page, `2 of ${count}`);
    await page.getByRole("button", { name: "Previous" }).click();
    await isPlaced(page, `1 of ${count}`);
    await page.goBack();
    await isClosed(page);
    await shot(page, 5).click();
    await isPlaced(page, `6 of ${count}`);
    await page.getByRole("button", { name: "Close" }).click();
    await isClosed(page);
    assert.match(await focused(page), /\/i\/p5\/$/);
    await shot(page, 6).click();
    await page.locator(".viewer li:not([inert]) figcaption a", { hasText: "Picture 6" }).click();
    await page.waitForURL("**/i/p6/");
    // A picture's page shows it first, and larger on a click.
    const [picture, title] = [page.locator(".item .frame img"), page.locator("h1")];
    if (theme === "photos") assert.ok((await picture.boundingBox()).y < (await title.boundingBox()).y);
    await ready(page);
    await picture.click();
    // Its title stands under it there.
    if (theme === "photos") await page.locator(".viewer[open] figcaption", { hasText: "Picture 6" }).waitFor();
    assert.equal(await page.locator(".viewer-place").isVisible(), false);
  },

  async "a click beside the picture closes, one with a key held is left to the browser"({ page, base }) {
    await page.goto(base);
    await ready(page);
    await shot(page, 1).click();
    await isPlaced(page, `2 of ${count}`);
    await page.mouse.click(20, 300);
    await isClosed(page);
    // The browser gets the click. Not every version of Chromium without a window opens a page on it.
    await page.evaluate(() => addEventListener("click", (event) => (globalThis.isLeft = !event.defaultPrevented)));
    await shot(page, 1).click({ modifiers: ["ControlOrMeta"] });
    await page.waitForFunction(() => globalThis.isLeft);
    assert.equal(await page.locator(".viewer[open]").count(), 0);
  },

  async "swipes go to the next and the one before, and down closes"({ browser, base }) {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(base);
    await ready(page);
    const session = await context.newCDPSession(page);
    const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const swipe = async ([x, y], [toX, toY]) => {
      await touch("touchStart", [{ x, y }]);
      for (let at = 1; at <= 10; at++) await touch("touchMove", [{ x: x + ((toX - x) * at) / 10, y: y + ((toY - y) * at) / 10 }]);
      await touch("touchEnd", []);
    };
    await shot(page, 1).tap();
    await isPlaced(page, `2 of ${count}`);
    await isShown(page, 1);
    await swipe([330, 400], [60, 410]);
    await isPlaced(page, `3 of ${count}`);
    await isShown(page, 2);
    await shoot(page, "photos-viewer-phone");
    await swipe([60, 400], [330, 410]);
    await isPlaced(page, `2 of ${count}`);
    await isShown(page, 1);
    await swipe([200, 300], [205, 560]);
    await isClosed(page);
    await context.close();
  },

  async "pictures of a paragraph are a gallery, a title is a caption, and both open"({ page, base }) {
    await watchMoves(page);
    await page.goto(`${base}/i/essay/`, { waitUntil: "networkidle" });
    assert.equal(await page.locator(".prose .gallery > figure").count(), 3);
    assert.deepEqual(await page.locator(".prose figcaption").allTextContents(), ["The second", "It stands alone"]);
    assert.equal(await page.locator(".prose [title]").count(), 0);
    const all = await page.locator(".gallery img:not(.stand-in)").evaluateAll((images) => images.map((one) => one.getBoundingClientRect().height));
    assert.ok(Math.max(...all) - Math.min(...all) < 1.5, all);
    await still(page, "essay");
    await shoot(page, "photos-essay", { fullPage: true });
    await ready(page);
    // By keyboard too, though it is no link.
    await page.getByRole("button", { name: "Two" }).focus();
    await page.keyboard.press("Enter");
    await isPlaced(page, "2 of 5");
    await page.keyboard.press("Escape");
    await isClosed(page);
    await page.waitForFunction(() => document.activeElement.alt === "Two");
    await page.locator(".gallery a img:not(.stand-in)").click();
    await isPlaced(page, "3 of 5");
    // The same one stays when the window is another.
    await page.setViewportSize({ width: 600, height: 500 });
    await isShown(page, 2);
    assert.equal(await place(page), "3 of 5");
  },

  async "the last row of a gallery is no higher than the row above it"({ page, base }) {
    for (const width of [320, 390, 600, 768, 1000, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${base}/i/rows/`, { waitUntil: "networkidle" });
      const galleries = await page.locator(".gallery").evaluateAll((all) => all.map((gallery) => {
        const rows = new Map();
        for (const img of gallery.querySelectorAll("img:not(.stand-in)")) {
          const { top, height, right } = img.getBoundingClientRect();
          const row = [...rows.keys()].find((at) => Math.abs(at - top) < 3) ?? top;
          rows.set(row, [...(rows.get(row) ?? []), { height, right }]);
        }
        return { rows: [...rows.values()], right: gallery.getBoundingClientRect().right };
      }));
      assert.ok(galleries.length > 10);
      let last = 0;
      galleries.forEach(({ rows, right }, at) => {
        const heights = rows.map((row) => Math.max(...row.map(({ height }) => height)));
        for (const row of rows) for (const { height } of row) assert.ok(Math.abs(height - row[0].height) < 1.5, `${width}: ${JSON.stringify(rows)}`);
        const [above, lowest] = heights.slice(-2);
        if (rows.length > 1) assert.ok(lowest < above + 1.5, `${width}, gallery ${at}: ${heights}`);
        // Rows of several pictures above the last one are as wide as the text; one alone is no higher than the window.
        for (const row of rows.slice(0, -1).filter(({ length }) => length > 1)) assert.ok(Math.abs(row.at(-1).right - right) < 2, `${width}, gallery ${at}: ${JSON.stringify(rows)}`);
        last += rows.length > 1;
      });
      assert.ok(last > 5, `${width}: ${last} galleries have several rows`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${base}/i/rows/`, { waitUntil: "networkidle" });
    await shoot(page, "photos-rows", { fullPage: true });
  },

  async "what moves less for those who ask moves at once"({ page, base }) {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.goto(base);
    await ready(page);
    const behaviour = () => page.locator(".viewer-strip").evaluate((one) => getComputedStyle(one).scrollBehavior);
    assert.equal(await behaviour(), "smooth");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await behaviour(), "auto");
  },

  async "what the camera wrote is under a photo, and in the viewer"({ page, base }) {
    const facts = ["FUJIFILM X-T4", "XF35mmF1.4 R", "1/250 s, f/2.8, ISO 400, 35 mm", "Taken: Nov 20, 2026", "-27.5000, 153.0100"];
    await page.goto(`${base}/i/p0/`);
    await ready(page);
    const texts = await page.locator(".item .exif > li").allTextContents();
    assert.deepEqual(texts.map((text) => text.trim()), facts);
    const link = page.locator(".exif a");
    assert.match(await link.getAttribute("href"), /^https:\/\/www\.openstreetmap\.org\//);
    assert.ok((await link.boundingBox()).height >= 44);
    await shoot(page, "photos-exif", { fullPage: true });
    await page.locator(".item .frame img").click();
    await page.locator(".viewer[open] figcaption small", { hasText: facts.join(" · ") }).waitFor();
    await page.goto(base);
    await ready(page);
    assert.equal(await shot(page, 0).locator(".exif").isVisible(), false);
    await shot(page, 0).click();
    await page.locator(".viewer li:not([inert]) figcaption small", { hasText: facts[2] }).waitFor();
    assert.equal(await page.locator(".viewer li:not([inert]) figcaption a").textContent(), "Picture 0 · Mar 28, 2026");
  },

  async "albums and upright photos start where their titles start"({ page, base, theme }) {
    // The theme photos centres a photo.
    const places = { "/albums/": "h1, .albums img", ...(theme === "default" && { "/i/p1/": "h1, .frame img" }) };
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [to, parts] of Object.entries(places)) {
        await page.goto(base + to);
        const edges = await page.locator(parts).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
        assert.ok(edges.length >= 2);
        assert.deepEqual([...new Set(edges)], [edges[0]], `${to} at ${width}: ${edges}`);
      }
    }
  },

  async "albums have covers, and their photos follow each other"({ page, base }) {
    await watchMoves(page);
    await page.goto(`${base}/albums/`, { waitUntil: "networkidle" });
    await still(page, "albums");
    await shoot(page, "photos-albums", { fullPage: true });
    const album = page.getByRole("link", { name: "Around the bay 3" });
    const cover = (src) => src.match(/\/(p\d+)\//)[1];
    assert.equal(cover(await album.locator("img").getAttribute("src")), "p8");
    await album.click();
    await page.waitForURL("**/albums/bay/");
    assert.equal(await page.locator("h1").textContent(), "Around the bay");
    assert.equal(cover(await page.locator(".lead img").getAttribute("src")), "p8");
    await page.getByText("In three days.").waitFor();
    const items = await page.locator("[data-view]").evaluateAll((links) => links.map((one) => one.pathname));
    assert.deepEqual(items, ["/i/p7/", "/i/p8/", "/i/p9/"]);
    await shoot(page, "photos-album", { fullPage: true });
    await page.goto(`${base}/i/p7/`);
    assert.equal(await page.locator(".neighbours a").count(), 1);
    await page.locator('.neighbours [rel="prev"]').click();
    await page.waitForURL("**/i/p8/");
    await page.locator(".breadcrumbs a", { hasText: "Around the bay" }).click();
    await page.waitForURL("**/albums/bay/");
  },

  async "without scripts a picture leads to its page"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(base);
    await shot(page, 3).click();
    await page.waitForURL("**/i/p3/");
    assert.ok(await page.locator(".item .frame img").isVisible());
    await page.locator(".neighbours a").first().waitFor();
    await context.close();
  },

  async "every kind of page fits from 320 pixels, without a fault, light and dark"({ page, base }) {
    for (const to of ["/", "/i/p0/", "/i/p4/", "/i/essay/", "/i/an-episode/", "/archive/", "/albums/", "/albums/bay/", "/about/"]) {
      for (const [width, colorScheme] of [[320, "light"], [1280, "dark"]]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(base + to);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${to} is ${over} wider than ${width}`);
        await accessible(page, `${to} ${width}`);
      }
    }
    await page.goto(base);
    await ready(page);
    await shot(page, 1).click();
    await isPlaced(page, `2 of ${count}`);
    await isShown(page, 1);
    await accessible(page, "viewer");
  },

  async "a page weighs at most 40 KB"({ page, base, out }) {
    for (const to of ["/", "/i/p0/", "/i/essay/", "/i/an-episode/", "/albums/", "/albums/bay/"]) {
      const got = new Set();
      page.on("response", (response) => /\.(css|js)$|\/$/.test(response.url()) && got.add(response.url()));
      await page.goto(base + to, { waitUntil: "networkidle" });
      page.removeAllListeners("response");
      const files = [...got].map((url) => new URL(url).pathname).map((name) => (name.endsWith("/") ? `${name}index.html` : name));
      const sum = files.reduce((sum, name) => sum + weight(fs.readFileSync(path.join(out, name))), 0);
      console.log(`   ${to}: ${sum} bytes compressed`);
      assert.ok(sum <= 40_000, `${to}: ${sum} bytes`);
    }
  },
};

(async () => {
  for (const theme of Object.keys(themes)) {
    console.log(`${theme}:`);
    const out = built(theme);
    const base = await serve(out);
    await run(steps, { base, out, theme }, { workers: 2, options: { colorScheme: "light", reducedMotion: "reduce", viewport: { width: 1280, height: 900 } } });
  }
})();
