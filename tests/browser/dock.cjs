// Plays items of a built site from its lists, and goes on to other pages while they sound.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/dock.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, expectConsole, handled, rewrite, run, serve, shoot, silence, still, strict, watchMoves, weight, writeTalk } = require("./common.cjs");

const episode = (site, slug, title, day) => writeTalk(site, slug, `+++
id = "${slug}000001"
title = "${title}"
slug = "${slug}"
date_published = "2026-03-${day}T10:00:00Z"
image = "cover.png"
attachment = "talk.wav"
tags = ["walks"]

[podcast]
chapters = [
  { startTime = 0, title = "Start" },
  { startTime = 120, title = "The lighthouse", img = "cover.png", url = "https://elsewhere.example/" },
  { startTime = 300, title = "Back home" },
]
+++
Show notes, with [a table](../harbour/), [a file](talk.wav) and [another site](https://elsewhere.example/).

${"A line of the notes.\n\n".repeat(60)}
`);
// In a folder of its host, two episodes with a text between them.
const out = build("small-site", (site) => {
  rewrite(site, "site.toml", (text) => text.replace("https://example.com", "https://example.com/blog"));
  // A serial goes on with the newer one: here the list goes on.
  rewrite(site, "content/channel.md", (text) => text.replace('type = "serial"', 'type = "episodic"'));
  episode(site, "walk", "A walk", "12");
  fs.writeFileSync(path.join(site, "content/items/between.md"), '+++\ntitle = "Between"\nslug = "between"\ndate_published = "2026-03-11T10:00:00Z"\n+++\nA text.\n');
  episode(site, "harbour", "The harbour, and <b>boats</b>", "10");
  writeTalk(site, "moving", '+++\nid = "moving000001"\ntitle = "A moving picture"\nslug = "moving"\ndate_published = "2026-03-09T11:00:00Z"\nattachment = "film.mp4"\n+++\nA film.\n', { "film.mp4": silence() });
  fs.writeFileSync(path.join(site, "content/pages/plain.md"), '+++\ntitle = "Plain"\nslug = "plain"\nshow_in_navigation = true\n+++\nA page, [home](../).\n');
});

// What sounds, wherever it is.
const sound = (page) => page.evaluate(() => {
  const playing = [...document.querySelectorAll("audio, video")].filter((one) => !one.paused);
  return { count: playing.length, time: playing[0]?.currentTime, isDocked: Boolean(playing[0]?.closest("[data-dock]")), breaks: globalThis.breaks };
});
const plays = (page) => page.waitForFunction(() => [...document.querySelectorAll("audio")].some((one) => !one.paused && one.currentTime > 0));
// Marks the document, so that a page that was loaded anew is told, and counts what breaks the sound. What never sounded
// breaks nothing: an element that comes with another page is emptied by its move into the document. What a page does to
// its sound is one of these; that the sound waits comes from a busy machine, too. The script that follows links is
// loaded when sound starts, and adds the second of these elements when it is ready.
const mark = async (page) => {
  await page.waitForFunction(() => document.querySelectorAll("body > p.vh[role=status]").length === 2);
  await page.evaluate(() => {
    globalThis.isMarked = true;
    globalThis.breaks = 0;
    const sounding = new WeakSet([...document.querySelectorAll("audio, video")].filter((one) => !one.paused));
    document.addEventListener("play", ({ target }) => sounding.add(target), true);
    for (const name of ["pause", "emptied", "seeking", "ratechange"]) document.addEventListener(name, ({ target }) => (globalThis.breaks += sounding.has(target) ? 1 : 0), true);
  });
};
const isMarked = (page) => page.evaluate(() => Boolean(globalThis.isMarked));
const start = async (page, base, title = "A walk") => {
  await page.goto(`${base}/`);
  await page.getByRole("button", { name: RegExp(`^Listen ?: ${title}`) }).click();
  await plays(page);
  await mark(page);
};
const shown = (page, title) => page.locator("main h1", { hasText: title }).waitFor();
const more = (page) => page.locator(".player").getByRole("button", { name: "More", exact: true });
const sleep = (page) => page.locator("#theme-more").getByLabel("Sleep");
const dock = (page) => page.locator("[data-dock]");

const steps = {
  async "a tap on a card plays in the dock, and it goes on from page to page, back and forward"({ page, base }) {
    await start(page, base);
    await dock(page).getByRole("link", { name: "A walk" }).waitFor();
    await dock(page).getByRole("button", { name: "Pause" }).waitFor();
    let before = (await sound(page)).time;
    const goesOn = async () => {
      assert.ok(await isMarked(page), page.url());
      await page.waitForFunction((before) => [...document.querySelectorAll("audio")].find((one) => !one.paused)?.currentTime > before, before);
      const now = await sound(page);
      assert.equal(now.count, 1);
      assert.equal(now.breaks, 0);
      before = now.time;
    };
    await page.getByRole("link", { name: "Plain" }).click();
    await shown(page, "Plain");
    assert.equal(new URL(page.url()).pathname, "/blog/plain/");
    assert.equal(await page.title(), "Plain – Small & complete");
    assert.equal(await page.locator("link[rel=canonical]").getAttribute("href"), "https://example.com/blog/plain/");
    assert.equal(await page.locator(".masthead [aria-current]").textContent(), "Plain");
    assert.equal(await page.evaluate(() => document.activeElement.id), "theme-main");
    await page.locator("[role=status]", { hasText: "Plain" }).first().waitFor({ state: "attached" });
    await goesOn();
    await page.locator(".brand").click();
    await page.locator(".entry").first().waitFor();
    await goesOn();
    await page.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
    await page.getByRole("link", { name: "Between" }).first().click();
    await shown(page, "Between");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await goesOn();
    await page.goBack();
    await page.locator(".entry").first().waitFor();
    assert.equal(await page.evaluate(() => scrollY), 400);
    await goesOn();
    await page.goForward();
    await shown(page, "Between");
    await goesOn();
    await page.goBack();
    await page.goBack();
    await shown(page, "Plain");
    await goesOn();
    assert.equal(await page.locator("link[rel=canonical]").count(), 1);
  },

  async "the dock stands in for the page's player that is scrolled out of the window"({ page, base }) {
    await page.goto(`${base}/i/walk/`);
    await page.locator(".player.is-own").waitFor();
    const scroll = (to) => page.evaluate((to) => scrollTo({ top: to === "end" ? document.body.scrollHeight : 0, behavior: "instant" }), to);
    await scroll("end");
    assert.equal(await dock(page).count(), 0);
    await scroll("start");
    await page.locator(".player").getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => document.querySelector("#theme-player").currentTime > 0);
    assert.equal(await dock(page).count(), 0);
    await scroll("end");
    await dock(page).getByRole("button", { name: "Pause" }).click();
    await page.waitForFunction(() => document.querySelector("#theme-player").paused);
    await dock(page).getByRole("button", { name: "Forward" }).click();
    await page.waitForFunction(() => document.querySelector("#theme-player").currentTime >= 30);
    assert.equal(await page.locator("audio").count(), 1);
    await scroll("start");
    await dock(page).waitFor({ state: "detached" });
  },

  async "the page of what plays takes over, and gives back"({ page, base }) {
    await start(page, base);
    await dock(page).getByRole("link", { name: "A walk" }).click();
    await shown(page, "A walk");
    await page.locator(".player.is-own").waitFor();
    await page.waitForFunction(() => !document.querySelector("#theme-player").paused);
    assert.ok(await dock(page).isHidden());
    assert.deepEqual({ ...(await sound(page)), time: 0 }, { count: 1, time: 0, isDocked: false, breaks: 0 });
    await page.locator(".chapter", { hasText: "The lighthouse" }).click();
    await page.waitForFunction(() => document.querySelector("#theme-player").currentTime >= 120);
    await more(page).click();
    await sleep(page).selectOption("episode");
    await page.keyboard.press("Escape");
    await page.locator(".brand").click();
    await dock(page).waitFor();
    const now = await sound(page);
    assert.ok(now.isDocked && now.time >= 120 && now.count === 1, JSON.stringify(now));
    await dock(page).getByRole("link", { name: "A walk" }).click();
    await page.locator(".player.is-own").waitFor();
    assert.equal(await sleep(page).inputValue(), "episode");
    assert.equal((await sound(page)).count, 1);
    assert.ok(await isMarked(page));
    await more(page).click();
    await sleep(page).selectOption("chapter");
    await page.keyboard.press("Escape");
    await page.locator(".brand").click();
    await dock(page).waitFor();
    await page.evaluate(() => (document.querySelector("[data-dock] audio").currentTime = 299));
    await dock(page).getByRole("button", { name: "Play" }).waitFor();
    assert.ok((await page.evaluate(() => document.querySelector("[data-dock] audio").currentTime)) < 302);
  },

  async "what starts on its own page goes on elsewhere, and another card takes its place"({ page, base }) {
    await page.goto(`${base}/i/harbour/`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await plays(page);
    await mark(page);
    await page.locator(".brand").click();
    await dock(page).getByRole("link", { name: "The harbour, and <b>boats</b>" }).waitFor();
    assert.ok(await isMarked(page));
    await page.locator("[data-play][href$='/i/walk/']").click();
    await dock(page).getByRole("link", { name: "A walk" }).waitFor();
    await plays(page);
    assert.equal((await sound(page)).count, 1);
    await page.locator("[data-play][href$='/i/walk/']").click();
    await page.waitForFunction(() => [...document.querySelectorAll("audio")].every((one) => one.paused));
  },

  async "a film that plays goes on as a small picture, and one that was stopped is left"({ page, base }) {
    const film = (where) => page.waitForFunction((where) => [...document.querySelectorAll(where)].some((one) => !one.paused && one.currentTime > 0), `${where} video`);
    await page.goto(`${base}/i/moving/`);
    const play = () => page.evaluate(() => document.querySelector("#theme-player").play());
    await play();
    await page.locator("#theme-dock").waitFor({ state: "attached" });
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/pages.js")));
    await mark(page);
    await page.locator(".brand").click();
    await page.locator(".entry").first().waitFor();
    await film("[data-dock]");
    assert.ok(await isMarked(page));
    assert.equal((await sound(page)).breaks, 0);
    const { x, y, width, height } = await page.locator("[data-dock] video").boundingBox();
    const bar = await dock(page).boundingBox();
    assert.ok(x > 600 && y + height <= bar.y && width > 100 && width < 300, JSON.stringify({ x, y, width, height }));
    await accessible(page, "film");
    await shoot(page, "dock-film");
    await dock(page).getByRole("link", { name: "A moving picture" }).click();
    await shown(page, "A moving picture");
    await film("main");
    assert.ok(await dock(page).isHidden());
    await page.locator(".brand").click();
    await film("[data-dock]");
    await page.locator("[data-play][href$='/i/walk/']").click();
    await plays(page);
    assert.equal(await page.locator("[data-dock] video").count(), 0);
    await page.goto(`${base}/i/moving/`);
    await play();
    await film("main");
    await dock(page).waitFor({ state: "detached" });
    await page.evaluate(() => document.querySelector("#theme-player").pause());
    await page.locator(".brand").click();
    await page.locator(".entry").first().waitFor();
    assert.ok(await dock(page).isHidden());
  },

  async "the search goes on finding, on its page and in its dialog"({ page, base }) {
    await start(page, base);
    await page.keyboard.press("/");
    await page.keyboard.type("harbour");
    await page.locator("dialog .mf-public-search-result__title", { hasText: "harbour" }).click();
    await shown(page, "The harbour");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await page.evaluate(() => {
      const link = document.createElement("a");
      link.href = document.querySelector(".search-link").href;
      link.textContent = "All of the search";
      document.querySelector("main").prepend(link);
    });
    await page.getByRole("link", { name: "All of the search" }).click();
    await page.locator("main input[type=search]").fill("harbour");
    await page.locator("main .mf-public-search-result__title", { hasText: "harbour" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.search === "?q=harbour");
    await page.locator("main .mf-public-search-result__title", { hasText: "harbour" }).click();
    await shown(page, "The harbour");
    await page.goBack();
    await page.locator("main .mf-public-search-result__title", { hasText: "harbour" }).waitFor();
    assert.ok(await isMarked(page));
    assert.equal((await sound(page)).breaks, 0);
  },

  async "the unusual is left to the browser"({ page, base }) {
    await start(page, base);
    await page.evaluate(() => {
      addEventListener("click", (event) => {
        (globalThis.left ??= []).push(!event.defaultPrevented);
        event.preventDefault();
      });
      const main = document.querySelector("main");
      const add = (attributes) => {
        const link = document.createElement("a");
        for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
        main.append(link);
        link.click();
      };
      globalThis.left = [];
      for (const attributes of [{ href: "https://elsewhere.example/" }, { href: "/elsewhere/" }, { href: "i/walk/talk.wav" }, { href: "feed.json" }, { href: "i/walk/", target: "_blank" }, { href: "i/walk/", download: "" }, { href: "#theme-main" }, { href: "mailto:a@b.example" }]) add(attributes);
    });
    assert.deepEqual(await page.evaluate(() => globalThis.left), Array(8).fill(true));
  },

  async "a page that does not come, or is another's, is loaded by the browser"({ page, base }) {
    await start(page, base);
    await page.evaluate(() => {
      const link = document.createElement("a");
      link.href = "nowhere/";
      document.querySelector("main").append(link);
      link.click();
    });
    await page.waitForURL("**/nowhere/");
    assert.equal(await isMarked(page), false);
    expectConsole(page, /status of 404/);
  },

  async "a load anew offers to go on, on pages without sound too"({ page, base }) {
    await start(page, base);
    await page.evaluate(() => (document.querySelector("[data-dock] audio").currentTime = 200));
    await page.waitForFunction(() => Number(localStorage.getItem("at:/blog/i/walk/")) >= 200);
    await page.getByRole("link", { name: "Plain" }).click();
    await shown(page, "Plain");
    await page.reload();
    await dock(page).getByRole("link", { name: "A walk" }).waitFor();
    assert.equal((await sound(page)).count, 0);
    await dock(page).locator("[data-elapsed]", { hasText: "3:2" }).waitFor();
    await page.goBack();
    await page.locator(".entry").first().waitFor();
    await dock(page).getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => document.querySelector("[data-dock] audio").currentTime >= 200);
    await dock(page).getByRole("button", { name: "Close" }).click();
    assert.ok(await dock(page).isHidden());
    await page.reload();
    await handled(page);
    assert.equal(await dock(page).count(), 0);
  },

  async "the keyboard is enough"({ page, base }) {
    await page.goto(`${base}/`);
    await page.locator("[data-play][href$='/i/walk/']").focus();
    await page.keyboard.press(" ");
    await plays(page);
    await page.keyboard.press("k");
    await page.waitForFunction(() => document.querySelector("[data-dock] audio").paused);
    await page.keyboard.press("l");
    await page.waitForFunction(() => document.querySelector("[data-dock] audio").currentTime >= 30);
    await dock(page).getByRole("slider", { name: "Position" }).focus();
    await page.keyboard.press("PageUp");
    await page.waitForFunction(() => document.querySelector("[data-dock] audio").currentTime >= 89);
    await dock(page).getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Enter");
    assert.ok(await dock(page).isHidden());
    await page.waitForFunction(() => !document.documentElement.classList.contains("has-dock"));
    assert.equal(await page.evaluate(() => document.activeElement.id), "theme-main");
  },

  async "what comes next is offered, and plays by itself only where it was asked to"({ page, base }) {
    await page.clock.install();
    // Longer than it counts down before it plays on.
    const later = async () => {
      await page.clock.fastForward(6000);
      await handled(page);
    };
    await start(page, base);
    const end = () => page.evaluate(() => (document.querySelector("#theme-player, [data-dock] audio").currentTime = 599.5));
    await end();
    const next = dock(page).locator("[data-next]");
    await next.getByRole("link", { name: "The harbour, and <b>boats</b>" }).waitFor();
    await accessible(page, "next");
    await shoot(page, "dock-next");
    await later();
    assert.equal((await sound(page)).count, 0);
    await next.getByRole("button", { name: "Play" }).click();
    await dock(page).locator(".dock-title", { hasText: "The harbour" }).waitFor();
    await plays(page);
    assert.ok(await next.isHidden());
    await page.goto(`${base}/i/walk/`);
    await page.evaluate(() => localStorage.setItem("play-on", "yes"));
    await page.reload();
    await page.getByRole("button", { name: "Play", exact: true }).first().click();
    await plays(page);
    await end();
    await next.getByRole("link", { name: "The harbour" }).waitFor();
    assert.ok(await page.getByLabel("Autoplay").isChecked());
    await shoot(page, "dock-over");
    await page.waitForFunction(() => document.querySelector("[data-dock] audio")?.currentTime > 0);
    assert.equal((await sound(page)).count, 1);
    await page.evaluate(() => {
      document.querySelector("[data-dock]").dataset.type = "serial";
      document.querySelector("[data-dock] audio").currentTime = 599.5;
    });
    await next.getByRole("link", { name: "A walk" }).waitFor();
    await page.getByLabel("Autoplay").uncheck();
    await later();
    assert.equal((await sound(page)).count, 0);
  },

  async "nothing leaks over twenty pages"({ page, base }) {
    await page.addInitScript(() => {
      // What is listened to and not let go of, on what stays: the window, the document, the sound.
      globalThis.listeners = 0;
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (name, deed, options) {
        const stays = this === globalThis || this === document || this instanceof HTMLMediaElement;
        if (stays && !options?.once) {
          globalThis.listeners += 1;
          options?.signal?.addEventListener("abort", () => (globalThis.listeners -= 1));
        }
        return addEventListener.call(this, name, deed, options);
      };
    });
    await start(page, base);
    const count = () => page.evaluate(() => ({
      listeners: globalThis.listeners,
      around: document.querySelectorAll("body > *").length,
      head: document.head.querySelectorAll("script, link[rel=stylesheet]").length,
      media: document.querySelectorAll("audio").length,
    }));
    const round = async () => {
      await dock(page).getByRole("link", { name: "A walk" }).click();
      await page.locator(".player.is-own").waitFor();
      await page.locator(".brand").click();
      await page.locator(".entry").first().waitFor();
    };
    await round();
    const before = await count();
    for (let n = 0; n < 10; n += 1) await round();
    assert.deepEqual(await count(), before);
    assert.equal((await sound(page)).breaks, 0);
  },

  async "all is accessible, light and dark, wide and narrow, and nothing is covered or moves"({ browser, base }) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [320, 420, 1280]) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        const page = await context.newPage();
        await watchMoves(page);
        await start(page, base);
        await accessible(page, `${colorScheme} ${width}`);
        await shoot(page, `dock-${colorScheme}-${width}`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        const small = await dock(page).locator("button, select, input, a").evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).filter((one) => one.getBoundingClientRect().height < 24 || one.getBoundingClientRect().width < 24).map((one) => one.outerHTML));
        assert.deepEqual(small, []);
        await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
        const [foot, top] = await page.evaluate(() => [document.querySelector(".footer").getBoundingClientRect().bottom, document.querySelector("[data-dock]").getBoundingClientRect().top]);
        assert.ok(foot <= top + 1, `${foot} ${top}`);
        await shoot(page, `dock-${colorScheme}-${width}-end`);
        await page.getByRole("link", { name: "Plain" }).click();
        await shown(page, "Plain");
        await page.reload();
        await dock(page).getByRole("link", { name: "A walk" }).waitFor();
        await handled(page);
        await still(page);
        await page.goto(`${base}/i/walk/`);
        await page.locator(".player.is-own").waitFor();
        await accessible(page, `item ${colorScheme} ${width}`);
        await shoot(page, `dock-item-${colorScheme}-${width}`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        await still(page);
        await context.close();
      }
    }
  },

  async "from right to left it is the other way round, and in print it is not there"({ page, base }) {
    await page.route("**/blog/", async (route) => {
      const response = await route.fetch();
      route.fulfill({ response, body: (await response.text()).replace("<html", '<html dir="rtl"') });
    });
    await start(page, base);
    const x = (name) => dock(page).locator(name).evaluate((one) => one.getBoundingClientRect().x);
    assert.ok((await x("img")) > (await x("[data-rate]")));
    // Time runs from left to right all the same.
    const controls = await Promise.all(["[data-skip='-15']", ".play", "[data-skip='30']"].map(x));
    assert.deepEqual(controls, controls.toSorted((a, b) => a - b));
    assert.ok((await x("[data-elapsed]")) < (await x("[data-left]")));
    assert.equal(await dock(page).locator("[data-seek]").evaluate((one) => getComputedStyle(one).direction), "ltr");
    await shoot(page, "dock-rtl");
    await page.emulateMedia({ media: "print" });
    assert.ok(await dock(page).isHidden());
  },

  async "a file that does not play is told of, with a link to it"({ page, base }) {
    await page.route("**/talk.wav", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${base}/`);
    await page.locator("[data-play][href$='/i/walk/']").click();
    await dock(page).locator("[data-tell]", { hasText: "can’t be played" }).getByRole("link", { name: "A walk" }).waitFor();
    await page.getByRole("link", { name: "Plain" }).click();
    await shown(page, "Plain");
    expectConsole(page, /status of 404/);
  },

  async "a server without ranges sends the whole file where it is asked for"({ browser, plainBase, datedBase, blobBase }) {
    for (const [base, works] of [[datedBase, true], [blobBase, true], [plainBase, false]]) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await start(page, base);
      await dock(page).getByRole("slider", { name: "Position" }).focus();
      await page.keyboard.press("PageUp");
      await dock(page).locator("[data-tell]", { hasText: "can’t skip" }).waitFor();
      assert.equal((await sound(page)).count, 1);
      await dock(page).getByRole("button", { name: "Load the whole file" }).click();
      if (works) await page.waitForFunction(() => document.querySelector("[data-dock] audio").currentTime > 60);
      else await dock(page).locator("[data-tell]", { hasText: "Download it" }).getByRole("link").waitFor();
      await plays(page);
      await context.close();
    }
  },

  async "without JavaScript there is the browser's own player"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/`);
    assert.ok(await page.locator(".card-audio audio[controls]").first().isVisible());
    assert.equal(await page.locator("[data-play]").first().isVisible(), false);
    await context.close();
  },

  async "pages without sound load nothing of it, and all weigh little"({ page, base }) {
    await page.goto(`${base}/plain/`);
    const parts = () => page.evaluate(() => [...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((one) => new URL(one.href ?? one.src).pathname.replace("/blog", "")));
    assert.deepEqual((await parts()).filter((name) => /dock|pages|sound|player/.test(name)), []);
    assert.equal(await page.locator("#theme-dock").count(), 0);
    for (const name of ["index.html", "i/walk/index.html"]) {
      await page.goto(`${base}/${name.replace("index.html", "")}`);
      const all = new Set(await parts());
      const folder = path.dirname([...all].find((name) => /style\.css$/.test(name)));
      for (const name of ["sound.js", "pages.js"]) all.add(`${folder}/${name}`);
      const files = [path.join(out, name), ...[...all].map((name) => path.join(out, name))];
      const weights = files.map((file) => [path.basename(file), weight(fs.readFileSync(file))]);
      const sum = weights.reduce((sum, [, bytes]) => sum + bytes, 0);
      console.log(`   ${name}: ${sum} bytes compressed: ${weights.map((one) => one.join(" ")).join(", ")}`);
      assert.ok(sum <= 40_000, `${sum} bytes`);
    }
  },
};

(async () => {
  const below = "/blog";
  const plain = { below, hasRanges: () => false };
  await run(steps, {
    base: await serve(out, { below }),
    plainBase: await serve(out, plain),
    datedBase: await serve(out, { ...plain, headers: { "content-security-policy": strict, "last-modified": "Mon, 02 Mar 2026 10:00:00 GMT" } }),
    blobBase: await serve(out, { ...plain, headers: { "content-security-policy": `${strict}; media-src 'self' blob:` } }),
  }, { workers: 2 });
})();
