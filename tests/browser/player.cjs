// Plays an item of a built site in a browser, and reads what is said in it.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/player.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, handled, rewrite, runInBoth, serve, shoot, still, until, watchMoves, weight, writeTalk } = require("./common.cjs");

// A line every four seconds; two speakers take turns.
const transcript = () => {
  const clock = (time) => `00:${String(Math.floor(time / 60)).padStart(2, "0")}:${String(time % 60).padStart(2, "0")}.500`;
  const cue = (n) => `${clock(n * 4)} --> ${clock(n * 4 + 4)}\n<v ${n % 24 < 12 ? "Ana" : "Bo"}>We walk along the harbour and count boat ${n}${n % 3 ? "," : "."}\n`;
  const hostile = "00:09:50.000 --> 00:09:55.000\n<v <img src=x onerror=alert(1)>>&lt;script&gt;alert(1)&lt;/script&gt; Café\n";
  return `WEBVTT\n\n${Array.from({ length: 145 }, (_, n) => cue(n)).join("\n")}\n${hostile}`;
};

const out = build("small-site", (site) => writeTalk(site, "walk", `+++
id = "walk00000001"
title = "A walk"
slug = "walk"
date_published = "2026-03-09T10:00:00Z"
image = "cover.png"
attachment = "talk.wav"

[podcast]
transcripts = ["walk.vtt"]
soundbites = [{ startTime = 100, duration = 15.0, title = "The mist" }]
chapters = [
  { startTime = 0, title = "Start" },
  { startTime = 120, title = "The lighthouse", img = "cover.png", url = "https://elsewhere.example/" },
  { startTime = 300, title = "Back home" },
]
+++
Show notes.
`, { "walk.vtt": transcript() }));

// A show in Arabic whose guests speak English, too.
const cues = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ana>Hello, and welcome (again).\n\n00:05.000 --> 00:08.000\n<v ليلى>مرحبا بكم في الحلقة 3.\n\n00:09.000 --> 00:12.000\n<v Ana>أهلا وسهلا!\n";
const arabic = build("small-site", (site) => {
  rewrite(site, "content/channel.md", (text) => text.replace('language = "en"', 'language = "ar"'));
  writeTalk(site, "bahr", `+++
id = "bahr00000001"
title = "على شاطئ البحر"
slug = "bahr"
date_published = "2026-03-09T10:00:00Z"
date_modified = "2026-03-12T10:00:00Z"
attachment = "talk.wav"
authors = ["Ada Lovelace"]

[podcast]
transcripts = ["bahr.vtt"]
chapters = [{ startTime = 0, title = "مقدمة" }, { startTime = 120, title = "The harbour" }]
season = 2
episode = 3
+++
${"نص الحلقة وفيه كلام كثير عن البحر. ".repeat(120)}
`, { "bahr.vtt": cues });
});

// Where the text of an element is, without what a style sheet adds to it.
const placeOfText = (one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, right } = range.getBoundingClientRect();
  const box = one.getBoundingClientRect();
  return { text: one.textContent.trim(), left, right, start: box.right - right, end: left - box.left };
};

const time = (page) => page.evaluate(() => document.querySelector("#theme-player").currentTime);
const reaches = (page, from, to) => page.waitForFunction(([from, to]) => {
  const { currentTime } = document.querySelector("#theme-player");
  return currentTime >= from && currentTime <= to;
}, [from, to]);
const ready = async (page, address) => {
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#theme-player").readyState > 0);
};
const playing = (page, is) => page.waitForFunction((is) => document.querySelector("#theme-player").paused !== is, is);
const spoken = (page) => page.locator(".said-text [aria-current]").textContent();

const steps = {
  async "the player plays, seeks, and tells the time in words"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await playing(page, true);
    await page.getByRole("button", { name: "Forward 30 seconds" }).click();
    await reaches(page, 30, 40);
    await page.getByRole("button", { name: "Back 15 seconds" }).click();
    await reaches(page, 14, 30);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await playing(page, false);
    const bar = page.getByRole("slider", { name: "Position" });
    await bar.focus();
    await page.keyboard.press("Home");
    await reaches(page, 0, 0.5);
    await page.keyboard.press("PageUp");
    await reaches(page, 59, 61);
    await page.locator("[data-seek][aria-valuetext='1:00 / 10:00 · Start']").waitFor();
    assert.equal(await page.locator("[data-elapsed]").textContent(), "1:00");
    assert.equal(await page.locator("[data-left]").textContent(), "−9:00");
    assert.equal(await page.locator(".seek-marks i").count(), 2);
  },

  async "chapters are marked and shown, and a highlight ends"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.locator(".chapter", { hasText: "The lighthouse" }).click();
    await reaches(page, 120, 130);
    await page.locator(".chapter[aria-current]", { hasText: "The lighthouse" }).waitFor();
    assert.equal(await page.locator("[data-now]").textContent(), "The lighthouse");
    assert.equal(new URL(page.url()).hash, "#t=120");
    await page.locator(".chapter", { hasText: "The mist" }).click();
    await reaches(page, 100, 105);
    assert.equal(new URL(page.url()).hash, "#t=100,115");
    await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 114.5));
    await playing(page, false);
    assert.ok((await time(page)) < 117);
  },

  async "a clip plays its passage, and the transcript marks its words"({ page, base }) {
    await ready(page, `${base}/i/walk/clips/100-115/`);
    await reaches(page, 100, 101);
    assert.match(await page.locator(".clip blockquote").textContent(), /boat/);
    assert.equal(await page.locator(".clip .chip-main").getAttribute("href"), "/i/walk/#t=100");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await playing(page, true);
    await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 114.5));
    await playing(page, false);
    assert.ok((await time(page)) < 117);
    await ready(page, `${base}/i/walk/`);
    const mark = page.locator(".clip-mark");
    assert.equal(await mark.getAttribute("href"), "/i/walk/clips/100-115/");
    assert.equal(await mark.getAttribute("aria-label"), "Highlight: The mist");
    const marked = await page.locator(".in-clip").evaluateAll((lines) => lines.map(({ dataset }) => Number(dataset.start)));
    assert.ok(marked.length > 2 && marked.every((start) => start > 97 && start < 115), String(marked));
  },

  async "links lead to a moment and to a span"({ context, base }) {
    for (const [hash, from] of [["#t=83", 83], ["#t=1:23", 83], ["#t=npt:0:01:23,95", 83], ["?t=83", 83]]) {
      const page = await context.newPage();
      await ready(page, `${base}/i/walk/${hash}`);
      await reaches(page, from, from + 12);
      await page.locator(".said details[open]").waitFor();
      assert.match(await spoken(page), /boat 2\d/);
      await page.close();
    }
  },

  async "speed and place are remembered, sleep pauses"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByLabel("Speed").selectOption("1.5");
    await page.getByLabel("Sleep").selectOption("chapter");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await playing(page, true);
    await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 118.5));
    await playing(page, false);
    assert.equal(await page.getByLabel("Sleep").inputValue(), "");
    await page.evaluate(() => {
      const player = document.querySelector("#theme-player");
      player.currentTime = 200;
      return player.play();
    });
    await page.waitForFunction(() => Number(localStorage.getItem("at:/i/walk/")) >= 200);
    await ready(page, `${base}/i/walk/`);
    await reaches(page, 199, 210);
    assert.equal(await page.getByLabel("Speed").inputValue(), "1.5");
  },

  async "keys play and skip, are listed, and can be left out"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.keyboard.press("k");
    await playing(page, true);
    await page.keyboard.press("l");
    await reaches(page, 30, 40);
    await page.keyboard.press("j");
    await reaches(page, 14, 30);
    await page.keyboard.press("ArrowRight");
    await reaches(page, 44, 60);
    await page.keyboard.press(" ");
    await playing(page, false);
    await page.keyboard.press("?");
    await page.locator("dialog.keys[open]").waitFor();
    await accessible(page, "keys");
    await page.getByLabel("Use these shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await handled(page);
    await playing(page, false);
  },

  async "space pauses what has yet to be heard, and scrolls before"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => scrollY > 0);
    // As long as its sound is on the way.
    await page.evaluate(() => Object.defineProperty(document.querySelector("#theme-player"), "played", { value: { length: 0 } }));
    await page.keyboard.press("k");
    await playing(page, true);
    await page.keyboard.press(" ");
    await playing(page, false);
  },

  async "the transcript follows the sound, until the reader scrolls"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.locator(".said summary").click();
    await page.locator(".said-text [data-start]").nth(3).click();
    await playing(page, true);
    await reaches(page, 12.5, 16);
    assert.match(await spoken(page), /boat 3\./);
    const jump = (to) => page.evaluate((to) => (document.querySelector("#theme-player").currentTime = to), to);
    await jump(400);
    const isSeen = () => {
      const [line, box] = [".said-text [aria-current]", ".said-text"].map((name) => document.querySelector(name).getBoundingClientRect());
      return line.textContent !== "" && line.top >= box.top && line.bottom <= box.bottom;
    };
    await page.waitForFunction(isSeen);
    await page.locator(".said-text").hover();
    // A wheel that turns while the transcript still scrolls to its line can be lost.
    await until(async () => {
      await page.mouse.wheel(0, -3000);
      return page.evaluate(() => document.querySelector(".said-text").scrollTop === 0);
    }, "the reader scrolls");
    await jump(500);
    await page.locator(".said-text [aria-current]", { hasText: "boat 124" }).waitFor();
    // A wheel event of before may still arrive. The line itself is far below.
    assert.ok((await page.evaluate(() => document.querySelector(".said-text").scrollTop)) < 100);
    await page.getByRole("button", { name: "Follow along" }).click();
    await page.waitForFunction(isSeen);
  },

  async "the transcript has a search of its own, across lines and without accents"({ page, base }) {
    await ready(page, `${base}/i/walk/`);
    await page.locator(".said summary").click();
    const find = page.getByLabel("Search the transcript");
    const count = page.locator("[data-count]");
    await find.fill("boat 14");
    assert.equal(await count.textContent(), "1 of 6");
    await page.keyboard.press("Enter");
    assert.equal(await count.textContent(), "2 of 6");
    await page.getByRole("button", { name: "Previous match" }).click();
    assert.equal(await count.textContent(), "1 of 6");
    await find.fill("boat 1, we walk");
    assert.equal(await count.textContent(), "1 of 1");
    await find.fill("cafe");
    assert.equal(await count.textContent(), "1 of 1");
    await find.fill("nothing like it");
    assert.equal(await count.textContent(), "No results");
  },

  async "a server without ranges is told of, and the sound stays where it is"({ page, plainBase }) {
    await ready(page, `${plainBase}/i/walk/`);
    const seekable = await page.evaluate(() => {
      const { seekable } = document.querySelector("#theme-player");
      return seekable.length ? seekable.end(seekable.length - 1) : 0;
    });
    await page.locator(".chapter", { hasText: "Back home" }).click();
    if (seekable > 300) return reaches(page, 300, 310);
    await page.locator("[data-tell]", { hasText: "can’t skip" }).waitFor();
    await playing(page, true);
  },

  async "all kinds of pages are accessible, light and dark, wide and narrow"({ browser, base }) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [360, 1280]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        await ready(page, `${base}/i/walk/#t=83`);
        await page.locator(".said details[open]").waitFor();
        await accessible(page, `${colorScheme} ${width}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} at ${width}`);
        const small = await page.locator(".controls :is(button, select, input), .said-tools :is(button, input)").evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => [one.outerHTML, one.getBoundingClientRect()]).filter(([, { width, height }]) => width && (width < 24 || height < 24)).map(([html]) => html));
        assert.deepEqual(small, []);
        await shoot(page, `player-${colorScheme}-${width}`, { fullPage: true });
        await context.close();
      }
    }
  },

  async "on a page from right to left time runs from left to right"({ page, base }) {
    await page.route("**/i/walk/", async (route) => {
      const response = await route.fetch();
      route.fulfill({ response, body: (await response.text()).replace("<html", '<html dir="rtl"') });
    });
    await ready(page, `${base}/i/walk/`);
    const [first, second] = await page.locator(".seek-marks i").evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().x));
    assert.ok(first < second);
  },

  async "without JavaScript the browser's own player is there, and the transcript"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/i/walk/`);
    assert.ok(await page.locator("#theme-player[controls]").isVisible());
    assert.equal(await page.locator(".controls").isVisible(), false);
    assert.equal(await page.locator(".said-tools").isVisible(), false);
    assert.match(await page.locator(".said-text").textContent(), /count boat 144/);
    await context.close();
  },

  async "in Arabic separators stand between, controls are not mirrored, and cues have their own direction"({ page, arabicBase }) {
    await page.addInitScript(`globalThis.placeOfText = ${placeOfText}`);
    await ready(page, `${arabicBase}/i/bahr/`);
    await page.locator(".player.is-own").waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).direction), "rtl");
    // The controls: back, play, on, and the time from left to right.
    const x = (name) => page.locator(name).first().evaluate((one) => one.getBoundingClientRect().x);
    const order = await Promise.all([".controls [data-skip='-15']", ".controls .play", ".controls [data-skip='30']", ".controls [data-seek]"].map(x));
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
    assert.ok((await x("[data-elapsed]")) < (await x("[data-left]")));
    for (const name of ["[data-seek]", "[data-volume]", ".controls [data-skip='-15']"]) {
      assert.equal(await page.locator(name).first().evaluate((one) => getComputedStyle(one).direction), "ltr", name);
    }
    await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 150));
    await page.waitForFunction(() => document.querySelector("[data-seek]").value >= 149);
    const [mark, bar] = await page.evaluate(() => [".seek-marks i", ".seek-bar"].map((name) => document.querySelector(name).getBoundingClientRect()).map(({ left, width }) => left + (width < 9 ? 0 : width / 2)));
    assert.ok(mark < bar, "a mark at the first fifth is left of the middle");
    // Cues, by what they say and not by who says it.
    const cue = (words) => page.locator(".said-text p", { hasText: words });
    for (const [words, direction] of [["Hello", "ltr"], ["مرحبا", "rtl"], ["أهلا", "rtl"]]) {
      assert.equal(await cue(words).evaluate((one) => getComputedStyle(one).direction), direction, words);
    }
    const english = await cue("Hello").boundingBox();
    assert.ok((await cue("Hello").locator("span").boundingBox()).x < english.x + english.width / 2, "an English cue begins at the left");
    // Separators are before what they separate, in the direction of the page: at the right of a text from left to right, too.
    const bylines = await page.locator(".item-head p.byline").evaluateAll((all) => all.map(globalThis.placeOfText));
    assert.ok(bylines.length > 1);
    bylines.slice(1).forEach((one) => assert.ok(one.start > 3 && one.end < 2, JSON.stringify(one)));
    await shoot(page, "player-arabic", { fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${arabicBase}/`);
    const parts = page.locator(".rail > :not(.bead)");
    const rails = await parts.evaluateAll((all) => all.filter((one) => one.getClientRects().length && getComputedStyle(one, "::before").content !== "none").map(globalThis.placeOfText));
    assert.ok(rails.length > 2, "dates and seasons are shown with separators");
    rails.forEach((one) => assert.ok(one.start > 8 && one.end < 2, JSON.stringify(one)));
    await shoot(page, "home-arabic-phone");
  },

  async "nothing moves when the player comes, and the page weighs little"({ page, base }) {
    await watchMoves(page);
    await ready(page, `${base}/i/walk/`);
    await handled(page);
    await still(page);
    const parts = await page.evaluate(() => [...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((one) => new URL(one.href ?? one.src).pathname));
    const html = fs.readFileSync(path.join(out, "i/walk/index.html"), "utf8").replace(/<div class="said-text".*?<\/div>/s, "");
    // A module that the player's script asks for.
    parts.push(parts.find((name) => name.endsWith("/player.js")).replace("player.js", "sound.js"));
    const files = [html, ...parts.map((name) => fs.readFileSync(path.join(out, name)))];
    const bytes = files.reduce((sum, file) => sum + weight(file), 0);
    console.log(`   ${bytes} bytes compressed`);
    assert.ok(bytes <= 40_000, `${bytes} bytes`);
  },
};

(async () => {
  const base = await serve(out);
  const plainBase = await serve(out, { hasRanges: () => false });
  const arabicBase = await serve(arabic);
  // Without ranges, Firefox can skip as soon as it has loaded the file. Under load, it loses the events of a wheel.
  const onlyInChromium = [
    "without JavaScript the browser's own player is there, and the transcript",
    "a server without ranges is told of, and the sound stays where it is",
    "the transcript follows the sound, until the reader scrolls",
  ];
  await runInBoth(steps, { base, plainBase, arabicBase }, { onlyInChromium, args: ["--autoplay-policy=no-user-gesture-required"] });
})();
