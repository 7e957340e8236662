// Looks in a browser at how a built site is followed: the page that tells it, a feed, and an item on another site.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/follow.cjs <feedwright> [<screenshots>]
//
// jsqr reads the QR code.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, rewrite, run, serve, shoot, writeTalk } = require("./common.cjs");

const out = build("small-site", (site) => {
  rewrite(site, "site.toml", (text) => `output.embeds = "all"\n${text}`);
  writeTalk(site, "walk", '+++\nid = "walk00000001"\ntitle = "A walk"\nslug = "walk"\ndate_published = "2026-03-09T10:00:00Z"\nattachment = "talk.wav"\n+++\nShow notes.\n');
});
// Another site, which shows an item as it was told to.
const { html } = JSON.parse(fs.readFileSync(path.join(out, "i/walk/embed/oembed.json"), "utf8"));
const elsewhere = `<!doctype html><html lang="en"><title>Elsewhere</title><body>${html.replace("https://example.com", "")}`;
const pages = { "/elsewhere/": elsewhere, "/sandbox/": elsewhere.replace("<iframe", '<iframe sandbox="allow-scripts"') };

// Runs in a page of its own: reads the code of a screenshot, dark on light only, and how light its margin is.
const readCode = async (picture) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const whole = canvas.getImageData(0, 0, image.width, image.height);
  const code = jsQR(whole.data, image.width, image.height, { inversionAttempts: "dontInvert" });
  const light = (x, y) => canvas.getImageData(Math.round(x), Math.round(y), 1, 1).data[0];
  if (!code) return { edge: [] };
  const { topLeftCorner: from, bottomRightCorner: to } = code.location;
  const module = (to.x - from.x) / (4 * code.version + 17);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  // The fourth module beyond each side, and the first.
  const beyond = [1, 3.5].flatMap((by) => [[from.x - by * module, middle.y], [to.x + by * module, middle.y], [middle.x, from.y - by * module], [middle.x, to.y + by * module]]);
  return { text: code.data, edge: beyond.map(([x, y]) => light(x, y)), dark: light(from.x + module / 2, from.y + module / 2) };
};

const steps = {
  async "every page is accessible, light and dark, narrow and wide"({ page, base }) {
    for (const [name, address] of [["subscribe", "/subscribe/"], ["embed", "/i/walk/embed/"], ["film", "/i/a-film-film0000001/embed/"], ["card", "/i/hello/embed/"], ["item", "/i/walk/"]]) {
      for (const colorScheme of ["light", "dark"]) {
        for (const width of [320, 1280]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: address.endsWith("embed/") ? 176 : 900 });
          await page.goto(base + address);
          await accessible(page, `${name} ${colorScheme} ${width}`);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${name} ${width}: ${over} px too wide`);
          await shoot(page, `${name}-${colorScheme}-${width}`, { fullPage: true });
        }
      }
    }
  },

  async "a link leads to the address, which can be copied"({ page, base, context }) {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${base}/i/walk/`);
    await page.getByRole("link", { name: "Subscribe" }).click();
    await page.waitForURL(`${base}/subscribe/`);
    await page.getByRole("button", { name: "Copy feed address" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "https://example.com/rss.xml");
    await page.goto(`${base}/i/walk/`);
    await page.getByText("Embed", { exact: true }).click();
    await page.getByRole("button", { name: "Copy embed code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<iframe src="https:\/\/example\.com\/i\/walk\/embed\/"/);
  },

  async "the QR code is read by a phone as the very address"({ browser, page, base }) {
    const elsewhere = await browser.newContext();
    const reader = await elsewhere.newPage();
    await reader.addScriptTag({ content: fs.readFileSync(require.resolve("jsqr"), "utf8") });
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [320, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${base}/subscribe/`);
        await page.locator(".qr").scrollIntoViewIfNeeded();
        await page.bringToFront();
        const picture = (await page.screenshot()).toString("base64");
        const { text, edge, dark } = await reader.evaluate(readCode, picture);
        const where = `${colorScheme} ${width}`;
        assert.equal(text, "https://example.com/rss.xml", where);
        assert.ok(edge.every((light) => light > 250), `${where}: no light margin of four modules: ${edge}`);
        assert.ok(dark < 5, `${where}: the darkest is ${dark}`);
      }
    }
    await elsewhere.close();
  },

  async "a feed is for people too, and shows them no code"({ page, base }) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${base}/rss.xml`);
      const seen = await page.evaluate(() => {
        const all = [...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).display !== "none" && one.getClientRects().length);
        return all.filter((one) => !one.children.length).map((one) => `${one.nodeName} ${one.textContent}`);
      });
      assert.ok(seen.includes("title A walk"), seen);
      assert.ok(!seen.some((one) => /^(guid|content:encoded|itunes:|podcast:|language|generator)/.test(one)), seen);
      const told = await page.evaluate(() => getComputedStyle(document.querySelector("channel"), "::before").content);
      assert.match(told, /This is a feed\./);
    }
  },

  async "an item plays on another site"({ page, base }) {
    await page.goto(`${base}/elsewhere/`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "Play" }).click();
    await frame.getByRole("button", { name: "Pause" }).waitFor();
    const slider = frame.getByRole("slider");
    await slider.fill("500");
    await frame.locator("[data-now]", { hasText: /^5:0/ }).waitFor();
    const speed = frame.getByRole("button", { name: "Speed: 1×" });
    await speed.click();
    assert.equal(await frame.locator("audio").evaluate((media) => media.playbackRate), 1.25);
    await frame.getByRole("button", { name: "Pause" }).click();
    await frame.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await frame.getByRole("link", { name: "A walk" }).getAttribute("href"), "/i/walk/");
    await shoot(page, "elsewhere", { fullPage: true });
  },

  async "an item plays in a frame of no origin, as large publishing systems have them"({ page, base }) {
    await page.goto(`${base}/sandbox/`);
    await page.frameLocator("iframe").getByRole("button", { name: "Play" }).click();
    await page.frameLocator("iframe").getByRole("button", { name: "Pause" }).waitFor();
  },

  async "without scripts the browser's own player is there"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/i/walk/embed/`);
    assert.ok(await page.locator("audio").isVisible());
    assert.ok(await page.locator(".controls").isHidden());
    await page.goto(`${base}/subscribe/`);
    assert.ok(await page.getByText("https://example.com/rss.xml").isVisible());
    assert.ok(await page.locator("[data-copy-text]").isHidden());
    await context.close();
  },
};

(async () => run(steps, { base: await serve(out, { pages }) }, { workers: 2, args: ["--autoplay-policy=no-user-gesture-required"] }))();
