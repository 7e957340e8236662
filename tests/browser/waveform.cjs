// Looks at the waveform of a recording in the player, the dock and the embed, and clicks into it.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/waveform.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const { accessible, build, rewrite, serve, shoot, silence, still, until, watchMoves, withBrowser, writeTalk } = require("./common.cjs");

// Ten minutes of sentences, whose last third is silent.
const talk = () => {
  const sound = silence();
  const end = (sound.length - 44) * (2 / 3);
  for (let at = 0; at < end; at += 1) {
    const level = Math.abs(Math.sin(at / 61000) * Math.cos(at / 23000)) ** 0.6;
    sound[44 + at] = 128 + Math.round(120 * level * Math.sin(at / 3));
  }
  return sound;
};
const sites = (theme, language) => build("small-site", (site) => {
  rewrite(site, "site.toml", (text) => `theme = "${theme}"\noutput.embeds = "all"\n${text}`);
  rewrite(site, "content/channel.md", (text) => text.replace('language = "en"', `language = "${language}"`));
  writeTalk(site, "walk", `+++
id = "walk00000001"
title = "A walk"
slug = "walk"
date_published = "2026-03-09T10:00:00Z"
image = "cover.png"
attachment = "talk.wav"

[podcast]
chapters = [{ startTime = 0, title = "Start" }, { startTime = 120, title = "The lighthouse" }, { startTime = 300, title = "Home" }]
+++
Show notes.
`, { "talk.wav": talk() });
});

// The heights of the bars, in hundredths of the waveform.
const heights = (wave) => wave.evaluate((one) => {
  const points = one.style.clipPath.match(/[-\d.]+% [-\d.]+%/g).map((point) => point.split(" ").map(parseFloat));
  const top = points.slice(0, points.length / 2);
  return top.filter((_, n) => n % 4 === 1).map(([, y]) => 2 * (50 - y));
});
const time = (page) => page.evaluate(() => document.querySelector("audio").currentTime);
const expectWave = async (page, wave) => {
  await wave.waitFor();
  await until(() => wave.evaluate((one) => one.style.clipPath !== ""), "the waveform is drawn");
  const bars = await heights(wave);
  assert.equal(bars.length, 80);
  assert.ok(Math.max(...bars.slice(0, 53)) > 99 && new Set(bars.slice(0, 53)).size > 5, `${bars}`);
  assert.ok(bars.slice(55).every((bar) => bar < 4), `the silent third: ${bars.slice(55)}`);
};
const clickAt = async (page, wave, part) => {
  const { x, y, width, height } = await wave.boundingBox();
  await page.mouse.click(x + width * part, y + height / 2);
};

const cases = [["default", "en", "light"], ["podcast", "en", "dark"], ["default", "ar", "dark"], ["podcast", "ar", "light"]];
withBrowser(async (browser) => {
  for (const [theme, language, colorScheme] of cases) {
    const base = await serve(sites(theme, language));
    for (const width of [390, 1440]) {
      const name = `waveform-${theme}-${language}-${colorScheme}-${width}`;
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await watchMoves(page);
      await page.goto(`${base}/i/walk/`);
      const wave = page.locator("[data-player] .wave");
      await expectWave(page, wave);
      await page.waitForFunction(() => document.querySelector("#theme-player").readyState > 0);
      await clickAt(page, wave, 0.25);
      await until(async () => Math.abs((await time(page)) - 150) < 3, "a click at a quarter goes to 2:30");
      const played = await wave.evaluate((one) => parseFloat(one.style.getPropertyValue("--at")));
      assert.ok(Math.abs(played - 25) < 1, `${played} % are drawn as played`);
      assert.ok((await page.locator("[data-player] [data-seek]").boundingBox()).height >= 44, "it can be touched");
      await accessible(page, name);
      await still(page, name);
      await shoot(page, name);

      await page.goto(`${base}/`);
      await page.locator("[data-play]").filter({ hasText: "A walk" }).click();
      await expectWave(page, page.locator("[data-dock] .wave"));
      await shoot(page, `${name}-dock`);

      await page.setViewportSize({ width: Math.min(width, 600), height: 176 });
      await page.goto(`${base}/i/walk/embed/`);
      await expectWave(page, page.locator("[data-embed] .wave"));
      await clickAt(page, page.locator("[data-embed] .wave"), 0.5);
      await until(async () => Math.abs((await time(page)) - 300) < 3, "a click in the middle of the embed goes to 5:00");
      await shoot(page, `${name}-embed`);
      await context.close();
    }
    const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await bare.goto(`${base}/i/walk/`);
    assert.ok(await bare.locator("#theme-player").isVisible(), "without scripts, the browser's own player is there");
    assert.ok(!(await bare.locator(".wave").first().isVisible()));
    const forced = await (await browser.newContext({ forcedColors: "active", viewport: { width: 1000, height: 700 } })).newPage();
    await forced.goto(`${base}/i/walk/`);
    await expectWave(forced, forced.locator("[data-player] .wave"));
    assert.match(await forced.locator("[data-player] .wave").evaluate((one) => getComputedStyle(one).backgroundImage), /linear-gradient/);
    await shoot(forced, `waveform-${theme}-${language}-forced`);
    console.log(`ok: ${theme}, ${language}`);
  }
});
