// Looks at both built-in themes in a browser: the choice of light and dark, small and wide windows, print, without scripts.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/themes.cjs <feedwright> [<screenshots>]
//
// Where axe-core is there too, the pages are held to it. Writes to a temporary folder, listens on 127.0.0.1 and ends
// what it started.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const zlib = require("node:zlib");
const { chromium } = require("playwright-core");
const { axe, silence } = require("./common.cjs");

const [feedwright, screenshots] = process.argv.slice(2);
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "feedwright-themes-"));
process.on("exit", () => fs.rmSync(temporary, { recursive: true, force: true }));
const themes = ["default", "podcast"];
for (const theme of themes) {
  const site = path.join(temporary, theme);
  fs.cpSync(path.join(__dirname, "../fixtures/small-site"), site, { recursive: true });
  const config = path.join(site, "site.toml");
  fs.writeFileSync(config, `theme = "${theme}"\n${fs.readFileSync(config, "utf8")}`);
  const item = path.join(site, "content/items/walk");
  fs.mkdirSync(item);
  fs.writeFileSync(path.join(item, "walk.wav"), silence());
  fs.writeFileSync(path.join(item, "index.md"), '+++\nid = "walk00000001"\ntitle = "A walk"\nslug = "walk"\ndate_published = "2026-03-09T10:00:00Z"\nattachment = "walk.wav"\n+++\nShow notes.\n');
  const built = spawnSync(feedwright, ["build", "--site", site, "--out", path.join(temporary, "out", theme)], { encoding: "utf8", env: { ...process.env, SOURCE_DATE_EPOCH: "1775044800" } });
  assert.equal(built.status, 0, built.stderr ?? String(built.error));
}

const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".wav": "audio/wav", ".png": "image/png" };
const serve = (theme) => http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
  const file = path.join(temporary, "out", theme, name.endsWith("/") ? `${name}index.html` : name);
  const found = fs.existsSync(file);
  const headers = { "content-type": types[path.extname(file)] ?? "application/octet-stream", "content-security-policy": "script-src 'self'; object-src 'none'" };
  response.writeHead(found ? 200 : 404, headers).end(found ? fs.readFileSync(file) : "Not found");
});

const shoot = (page, name) => screenshots && page.screenshot({ path: path.join(screenshots, `${name}.png`) });
const accessible = async (page, name) => {
  if (!axe) return;
  const { violations } = await page.evaluate(`${axe}; axe.run()`);
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], name);
};
const colours = (page) => page.getByRole("combobox", { name: "Colours" });
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
      await page.goto(base + to).catch(() => {});
      if (to === "/none/") continue;
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
  },

  async "the choice stays while the dock goes from page to page"({ page, base }) {
    await page.goto(base);
    await colours(page).selectOption("dark");
    await page.getByRole("button", { name: /^Play ?: A walk/ }).click();
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

  async "a page weighs at most 40 KB"({ page, base, theme }) {
    for (const to of ["/", "/i/walk/"]) {
      const got = [];
      page.on("response", (response) => /\.(css|js)$|\/$/.test(response.url()) && got.push(response.url()));
      await page.goto(base + to, { waitUntil: "load" });
      await page.waitForTimeout(300);
      page.removeAllListeners("response");
      const size = (url) => {
        const name = new URL(url).pathname;
        return zlib.gzipSync(fs.readFileSync(path.join(temporary, "out", theme, name.endsWith("/") ? `${name}index.html` : name)), { level: 9 }).length;
      };
      const weight = [...new Set(got)].reduce((sum, url) => sum + size(url), 0);
      console.log(`   ${theme} ${to}: ${weight} bytes compressed`);
      assert.ok(weight <= 40_000, `${to}: ${weight} bytes`);
    }
  },
};

(async () => {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"] });
  try {
    for (const theme of themes) {
      const server = serve(theme);
      await new Promise((done) => server.listen(0, "127.0.0.1", done));
      const base = `http://127.0.0.1:${server.address().port}`;
      for (const [name, step] of Object.entries(steps)) {
        const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
        context.setDefaultTimeout(10000);
        const page = await context.newPage();
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("request", (request) => !/^(blob|data):/.test(request.url()) && !request.url().startsWith(base) && complaints.push(request.url()));
        try {
          await step({ browser, context, page, base, theme });
          assert.deepEqual(complaints, []);
          console.log(`ok: ${theme}: ${name}`);
        } catch (error) {
          console.error(`failed: ${theme}: ${name}`, error, complaints);
          process.exitCode = 1;
        }
        await context.close();
      }
      server.close();
      server.closeAllConnections();
    }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
