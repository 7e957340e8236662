// Looks at the built-in themes in a browser: the choice of light and dark, small and wide windows, print, without scripts.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/themes.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, expectConsole, rewrite, run, serve, shoot, weight, writeTalk } = require("./common.cjs");

const headers = { "content-security-policy": "script-src 'self'; object-src 'none'" };
const buildWith = (theme) => build("small-site", (site) => {
  rewrite(site, "site.toml", (text) => `theme = "${theme}"\n${text}`);
  writeTalk(site, "walk", '+++\nid = "walk00000001"\ntitle = "A walk"\nslug = "walk"\ndate_published = "2026-03-09T10:00:00Z"\nattachment = "talk.wav"\n+++\nShow notes.\n');
});

const colours = (page) => page.getByRole("combobox", { name: /^Colou?r theme$/ });
// How bright the page is, from 0 to 255, and what the browser's own frame is told.
const look = (page) => page.evaluate(() => {
  const bright = (colour) => Math.max(...colour.match(/[\d.]+/g).slice(0, 3).map(Number));
  const told = [...document.querySelectorAll("meta[name=theme-color]")].filter(({ media }) => matchMedia(media).matches);
  return {
    isDark: bright(getComputedStyle(document.documentElement).backgroundColor) < 64,
    isTextLight: bright(getComputedStyle(document.body).color) > 128,
    frame: told.map(({ dataset }) => dataset.scheme).join(),
    scheme: getComputedStyle(document.documentElement).colorScheme,
  };
});
const dark = (scheme) => ({ isDark: true, isTextLight: true, frame: "dark", scheme });
const light = (scheme) => ({ isDark: false, isTextLight: false, frame: "light", scheme });
const system = "light dark";

const steps = {
  async "without a choice the page is as the system, and goes with it"({ page, base }) {
    await page.goto(base);
    assert.deepEqual(await look(page), light(system));
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await look(page), dark(system));
    assert.equal(await colours(page).inputValue(), "");
  },

  async "a choice by keyboard is kept on every page, from before the first paint"({ context, page, base }) {
    await page.goto(base);
    await colours(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await look(page), dark("dark"));
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.body) return;
        seen.disconnect();
        globalThis.before = document.documentElement.dataset.theme;
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    for (const to of ["/i/hello/", "/tags/", "/search/", "/subscribe/", "/none/"]) {
      await page.goto(base + to);
      assert.equal(await page.evaluate(() => globalThis.before), "dark", to);
      assert.deepEqual(await look(page), dark("dark"), to);
      assert.equal(await colours(page).inputValue(), "dark", to);
    }
    const other = await context.newPage();
    await other.goto(`${base}/archive/`);
    await colours(other).selectOption("light");
    assert.deepEqual(await look(other), light("light"));
    await page.goto(`${base}/i/hello/`);
    assert.deepEqual(await look(page), light("light"));
    // Open pages follow, and so does the page that one comes back to.
    await colours(other).selectOption("dark");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    assert.deepEqual(await look(page), dark("dark"));
    await colours(page).selectOption("");
    assert.deepEqual(await look(page), light(system));
    await page.reload();
    assert.deepEqual(await look(page), light(system));
    // A page that is missing was asked for.
    expectConsole(page, /status of 404/, 1);
  },

  async "the choice stays while the dock goes from page to page"({ page, base }) {
    await page.goto(base);
    await colours(page).selectOption("dark");
    await page.getByRole("button", { name: /^Listen ?: A walk/ }).click();
    await page.locator("[data-dock]").waitFor();
    await page.evaluate(() => (globalThis.isMarked = true));
    await page.getByRole("contentinfo").getByRole("link", { name: "Archive" }).click();
    await page.locator("main h1", { hasText: "Archive" }).waitFor();
    assert.ok(await page.evaluate(() => globalThis.isMarked));
    assert.deepEqual(await look(page), dark("dark"));
    assert.equal(await colours(page).inputValue(), "dark");
    await colours(page).selectOption("light");
    assert.deepEqual(await look(page), light("light"));
  },

  async "where nothing can be kept the choice holds for the page"({ page, base }) {
    await page.addInitScript(() => Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("refused"); } }));
    await page.goto(base);
    await colours(page).selectOption("dark");
    assert.deepEqual(await look(page), dark("dark"));
  },

  async "a dark page is printed dark on light"({ page, base }) {
    await page.goto(`${base}/i/walk/`);
    await colours(page).selectOption("dark");
    await page.emulateMedia({ media: "print" });
    const { isDark, isTextLight } = await look(page);
    assert.deepEqual([isDark, isTextLight], [false, false]);
    assert.ok(await colours(page).isHidden());
    assert.ok(await page.locator(".show-glow").isHidden());
  },

  async "without scripts the page is as the system and offers no choice"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(base);
    assert.equal(await page.locator("[data-colours]").isVisible(), false);
    assert.equal(await page.locator(".colours").boundingBox(), null);
    assert.ok(await page.locator("audio:visible").count());
    await context.close();
  },

  async "every kind of page fits from 320 pixels, without a fault, light and dark"({ page, base, theme }) {
    for (const to of ["/", "/i/hello/", "/i/walk/", "/i/an-episode/", "/tags/", "/archive/", "/subscribe/", "/search/", "/about/", "/page/2/"]) {
      for (const [width, chosen] of [[320, "light"], [1280, "dark"]]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(base + to);
        await colours(page).selectOption(chosen);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${to} is ${over} wider than ${width}`);
        await accessible(page, `${to} ${width} ${chosen}`);
        await shoot(page, `${theme}-${to.replace(/\W+/g, "-")}-${width}`);
      }
    }
  },

  async "a page weighs at most 40 KB"({ page, base, out, theme }) {
    for (const to of ["/", "/i/walk/"]) {
      const got = [];
      page.on("response", (response) => /\.(css|js)$|\/$/.test(response.url()) && got.push(response.url()));
      await page.goto(base + to, { waitUntil: "networkidle" });
      page.removeAllListeners("response");
      const size = (url) => {
        const name = new URL(url).pathname;
        return weight(fs.readFileSync(path.join(out, name.endsWith("/") ? `${name}index.html` : name)));
      };
      const sum = [...new Set(got)].reduce((sum, url) => sum + size(url), 0);
      console.log(`   ${theme} ${to}: ${sum} bytes compressed`);
      assert.ok(sum <= 40_000, `${to}: ${sum} bytes`);
    }
  },
};

// Of the theme notes alone.
const ofNotes = {
  async "the tree is a drawer on a phone and open on a wide screen, without scripts"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${base}/about/`);
    const current = page.locator(".tree [aria-current=page]");
    assert.equal(await current.isVisible(), false);
    await page.locator(".drawer > summary").click();
    assert.ok(await current.isVisible());
    assert.equal(await current.textContent(), "About");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    assert.equal(await page.locator(".drawer > summary").isVisible(), false);
    const [tree, text] = [await current.boundingBox(), await page.locator("main h1").boundingBox()];
    assert.ok(tree.width > 100 && tree.x + tree.width < text.x, "the tree stands before the text");
    await context.close();
  },

  async "the tree goes with the page while something plays"({ page, base }) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(base);
    await page.getByRole("button", { name: /^Listen ?: A walk/ }).click();
    await page.locator("[data-dock]").waitFor();
    await page.evaluate(() => (globalThis.isMarked = true));
    assert.equal(await page.locator(".tree [aria-current]").count(), 0);
    await page.locator(".tree a", { hasText: "About" }).click();
    await page.locator(".tree [aria-current=page]", { hasText: "About" }).waitFor();
    assert.ok(await page.evaluate(() => globalThis.isMarked));
  },
};

(async () => {
  const all = {};
  for (const theme of ["default", "podcast", "photos", "notes"]) {
    const out = buildWith(theme);
    const base = await serve(out, { headers });
    for (const [name, step] of Object.entries({ ...steps, ...(theme === "notes" && ofNotes) })) all[`${theme}: ${name}`] = (one) => step({ ...one, base, out, theme });
  }
  await run(all, {}, { workers: 2, options: { colorScheme: "light", reducedMotion: "reduce" }, args: ["--autoplay-policy=no-user-gesture-required"] });
})();
