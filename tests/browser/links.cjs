// Looks in a browser at what links of a text become: players, and cards of videos that ask for nothing before a click.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/links.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, expectConsole, run, serve, shoot, silence, still, strict, until, watchMoves } = require("./common.cjs");

const text = `+++
id = "links0000001"
title = "Links"
slug = "links"
date_published = "2026-03-09T10:00:00Z"
+++
[Big Buck Bunny](https://youtu.be/aqz-KE-bpKQ?t=9)

https://www.youtube.com/shorts/aqz-KE-bpKQ

https://www.twitch.tv/videos/1234

[The walk](walk.wav)

https://example.com/media/items/links/walk.wav

[The pier](pier.png)

See [[hello]].
`;
const out = build("small-site", (site) => {
  const item = path.join(site, "content/items/links");
  fs.mkdirSync(item);
  fs.copyFileSync(path.join(site, "content/items/episode/cover.png"), path.join(item, "pier.png"));
  fs.writeFileSync(path.join(item, "walk.wav"), silence(2));
  fs.writeFileSync(path.join(item, "index.md"), text);
});
const frames = `${strict}; frame-src https://www.youtube-nocookie.com https://player.twitch.tv`;

// Answers for the hosts of videos, and notes what they are asked.
const playHosts = async (context) => {
  const asked = [];
  await context.route(/^https:\/\/(?!127\.0\.0\.1)/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A player</title>" });
  });
  return asked;
};

// Browsers that do not know `fullscreen` of `allow` read the older attribute, and the others say that they do not.
const BOTH = /^Allow attribute will take precedence over 'allowfullscreen'/;

// Expects that a page asks for one player.
const expectPlayer = (page, address) => {
  expectConsole(page, BOTH, 1);
  expectConsole(page, { test: (words) => words.startsWith(`asks for ${address}`) }, 1);
};

const steps = {
  async "nothing is asked of a host before a click, and then its player is there"({ page, base, context }) {
    const asked = await playHosts(context);
    await page.goto(`${base}/i/links/`, { waitUntil: "networkidle" });
    assert.deepEqual(asked, []);
    assert.equal(await page.locator("iframe").count(), 0);
    await page.getByRole("link", { name: "Big Buck Bunny" }).click();
    const frame = page.locator(".video-card iframe");
    await frame.waitFor();
    const told = await frame.evaluate(({ src, title, allow, allowFullscreen, referrerPolicy }) => ({ src, title, allow, allowFullscreen, referrerPolicy }));
    assert.deepEqual(told, {
      src: "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=9&autoplay=1",
      title: "Big Buck Bunny (YouTube)",
      allow: "autoplay; encrypted-media; fullscreen; picture-in-picture",
      allowFullscreen: true,
      referrerPolicy: "strict-origin-when-cross-origin",
    });
    assert.equal(await page.evaluate(() => document.activeElement.localName), "iframe");
    await until(() => asked.length > 0, "the host is asked");
    assert.deepEqual(asked, [told.src]);
    expectPlayer(page, "https://www.youtube-nocookie.com/embed/");
  },

  async "a card is used by keyboard, and one host is told the site"({ page, base, context }) {
    const asked = await playHosts(context);
    await page.goto(`${base}/i/links/`, { waitUntil: "networkidle" });
    await page.locator(".video-card[data-host=Twitch] a").focus();
    await page.keyboard.press("Enter");
    await page.locator(".video-card iframe").waitFor();
    await until(() => asked.length > 0, "the host is asked");
    assert.deepEqual(asked, ["https://player.twitch.tv/?video=1234&autoplay=true&parent=127.0.0.1"]);
    expectPlayer(page, "https://player.twitch.tv/?");
  },

  async "a click with a key pressed, and one without JavaScript, follow the link"({ page, base, browser, context }) {
    await playHosts(context);
    await page.goto(`${base}/i/links/`, { waitUntil: "networkidle" });
    await page.getByRole("link", { name: "Big Buck Bunny" }).click({ modifiers: ["Control"] });
    // The tab that this opens.
    expectConsole(page, /^asks for https:\/\/youtu\.be\//, 1);
    assert.equal(await page.locator("iframe").count(), 0);
    const plain = await browser.newContext({ javaScriptEnabled: false });
    await playHosts(plain);
    const without = await plain.newPage();
    await without.goto(`${base}/i/links/`);
    await without.getByRole("link", { name: "Big Buck Bunny" }).click();
    await without.waitForURL("https://youtu.be/aqz-KE-bpKQ?t=9");
    await plain.close();
  },

  async "where the policy lets no frame in, the link leads to the video"({ page, closed, context }) {
    const asked = await playHosts(context);
    await page.goto(`${closed}/i/links/`, { waitUntil: "networkidle" });
    await page.getByRole("link", { name: "Big Buck Bunny" }).click();
    await page.waitForURL("https://youtu.be/aqz-KE-bpKQ?t=9");
    assert.deepEqual(asked, ["https://youtu.be/aqz-KE-bpKQ?t=9"]);
    expectConsole(page, BOTH, 1);
    expectConsole(page, /^Framing 'https:\/\/www\.youtube-nocookie\.com\/' violates/, 1);
    expectConsole(page, /^asks for https:\/\/youtu\.be\//, 1);
  },

  async "sound is asked for when it is played"({ page, base, asked }) {
    await page.goto(`${base}/i/links/`, { waitUntil: "networkidle" });
    const sound = page.locator("figure > audio").first();
    assert.ok(!asked.some((name) => name.endsWith(".wav")), "asked for sound before");
    assert.equal(await page.locator("figure:has(> audio) figcaption").innerText(), "The walk");
    const seconds = await sound.evaluate((audio) => {
      audio.src = new URL(audio.src).pathname;
      return audio.play().then(() => audio.duration);
    });
    assert.equal(Math.round(seconds), 2);
  },

  async "the page is accessible and still, light and dark, narrow and wide"({ page, base, context }) {
    await context.route(/^https:\/\/example\.com/, (route) => route.abort());
    await watchMoves(context);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${base}/i/links/`, { waitUntil: "networkidle" });
      await still(page, `${width}`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await accessible(page, `${colorScheme} ${width}`);
        await shoot(page, `links-${colorScheme}-${width}`, { fullPage: true });
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${width}: ${over} px too wide`);
    }
  },
};

(async () => {
  const asked = [];
  const base = await serve(out, { headers: { "content-security-policy": frames }, asked });
  const closed = await serve(out);
  await run(steps, { base, closed, asked }, { args: ["--autoplay-policy=no-user-gesture-required"] });
})();
