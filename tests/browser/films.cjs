// Plays recordings whose versions are a stream, a film and sound, and switches between them.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/films.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, handled, rewrite, runInBoth, serve, shoot, still, temporaryFolder, until, watchMoves, weight, writeTalk } = require("./common.cjs");

// Forty seconds of a test picture with a tone, as HLS in fragmented MP4 (H.264 and AAC), as MP4, and its sound alone.
const recordings = () => {
  const folder = temporaryFolder();
  const ffmpeg = (line) => {
    const made = spawnSync("ffmpeg", ["-v", "error", ...line.split(" ")], { cwd: folder, encoding: "utf8" });
    if (made.error?.code === "ENOENT" && !process.env.CI) {
      console.log("not run: there is no ffmpeg");
      process.exit(0);
    }
    assert.equal(made.status, 0, made.stderr ?? String(made.error));
  };
  const encoded = "-c:v libx264 -crf 45 -g 40 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -b:a 16k -ar 16000 -ac 1";
  ffmpeg(`-f lavfi -i testsrc2=size=320x180:rate=5:duration=40 -f lavfi -i sine=440:duration=40 ${encoded} -f hls -hls_time 8 -hls_segment_type fmp4 -hls_playlist_type vod stream.m3u8`);
  ffmpeg("-i stream.m3u8 -c copy -movflags faststart film.mp4");
  ffmpeg("-i stream.m3u8 -vn -c copy -movflags faststart sound.m4a");
  return Object.fromEntries(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name))]));
};
const files = recordings();
const said = "WEBVTT\n\n00:00.000 --> 00:20.000\n<v Ana>Words at the start.\n\n00:20.000 --> 00:40.000\n<v Bo>Words at the end.\n";
const saidInSubRip = "1\n00:00:00,000 --> 00:00:20,000\nWords at the start.\n\n2\n00:00:20,000 --> 00:00:40,000\nWords at the end.\n";

const write = (site, slug, attachment, versions, { transcript = "said.vtt", more = {} } = {}) => writeTalk(site, slug, `+++
id = "${slug.padEnd(12, "0")}"
title = "A ${slug}"
slug = "${slug}"
date_published = "2026-03-09T10:00:00Z"
image = "cover.png"
attachment = { url = "${attachment}", duration_in_seconds = 40 }

[podcast]
transcripts = ["${transcript}"]
chapters = [{ startTime = 0, title = "Start" }, { startTime = 25, title = "The end" }]
alternateEnclosures = [${versions.join(", ")}]
+++
Show notes.
`, { [transcript]: transcript.endsWith("vtt") ? said : saidInSubRip, ...files, ...more });

const sites = (theme, language) => {
  return build("small-site", (site) => {
    rewrite(site, "site.toml", (text) => `theme = "${theme}"\noutput.embeds = "all"\n${text}`);
    rewrite(site, "content/channel.md", (text) => text.replace('language = "en"', `language = "${language}"`));
    write(site, "stream", "stream.m3u8", ['"film.mp4"', '"sound.m4a"'], { transcript: "said.srt" });
    write(site, "talk", "sound.m4a", ['{ source = "stream.m3u8", height = 180 }', '{ source = "talk.wav", lang = "de" }']);
    write(site, "broken", "broken.m3u8", ['"film.mp4"'], { more: { "broken.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nlost.mp4\n#EXT-X-ENDLIST\n", "lost.mp4": "no film" } });
    write(site, "only", "stream.m3u8", []);
  });
};

const media = (page) => page.locator("#theme-player");
const state = (page) => media(page).evaluate((one) => ({
  kind: one.localName,
  file: one.currentSrc.split("/").at(-1),
  time: one.currentTime,
  paused: one.paused,
  rate: one.playbackRate,
  captions: [...one.textTracks].filter(({ mode }) => mode === "showing").flatMap(({ activeCues }) => [...(activeCues ?? [])]).map(({ text }) => text.replace(/<[^>]*>/g, "")),
}));
const plays = (page, file) => page.waitForFunction((file) => {
  const { currentSrc, paused, readyState } = document.querySelector("#theme-player");
  return currentSrc.endsWith(file) && !paused && readyState > 2;
}, file);
const ready = async (page, address) => {
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#theme-player").readyState > 0);
  await page.locator(".player.is-own").waitFor();
};
const choice = (page, name) => page.getByRole("radio", { name, exact: true });
const canPlayStreams = (page) => page.evaluate(() => document.createElement("video").canPlayType("application/vnd.apple.mpegurl") !== "");
const isFilm = (page) => page.locator(".player.is-film").count();

const steps = {
  async "a stream plays, or the film where the browser plays no streams, with captions and a poster"({ page, base }) {
    await watchMoves(page);
    await ready(page, `${base}/i/stream/`);
    const file = (await canPlayStreams(page)) ? "stream.m3u8" : "film.mp4";
    assert.match(await media(page).getAttribute("poster"), /cover\.png$/);
    await page.locator(".is-offered").waitFor();
    await still(page, "before it plays");
    await media(page).evaluate((one) => one.play());
    await plays(page, file);
    await page.locator(".chapter", { hasText: "The end" }).click();
    await until(async () => (await state(page)).captions.includes("Words at the end."), "captions of the SubRip file");
    assert.ok((await state(page)).time >= 25);
    assert.ok(await media(page).evaluate((one) => one.videoWidth === 320 && one.controls));
    // The browser's own player does not answer the same key again.
    await media(page).focus();
    await page.keyboard.press(" ");
    await handled(page);
    assert.ok((await state(page)).paused);
    await page.locator(".chapter[aria-current]", { hasText: "The end" }).waitFor();
    await page.locator(".said-text [aria-current]", { hasText: "Words at the end." }).waitFor();
  },

  async "sound takes over where the film was, and gives back"({ page, base }) {
    await ready(page, `${base}/i/stream/`);
    const first = (await canPlayStreams(page)) ? "stream.m3u8" : "film.mp4";
    await media(page).evaluate((one) => one.play());
    await plays(page, first);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByLabel("Speed").selectOption("1.5");
    await page.keyboard.press("Escape");
    await media(page).evaluate((one) => (one.currentTime = 26));
    await choice(page, /^Audio/).check({ force: true });
    await plays(page, "sound.m4a");
    let now = await state(page);
    assert.ok(now.kind === "audio" && now.time >= 26 && now.time < 39 && now.rate === 1.5, JSON.stringify(now));
    assert.deepEqual(now.captions, []);
    assert.equal(await isFilm(page), 0);
    assert.ok(await page.locator(".player > img").isVisible());
    await page.locator(".said-text [aria-current]", { hasText: "Words at the end." }).waitFor();
    // Its own controls work once each, and again after another change.
    await page.getByRole("button", { name: "Pause", exact: true }).first().click();
    const { time } = await state(page);
    await page.getByRole("button", { name: "Back 15 seconds" }).click();
    await until(async () => Math.abs((await state(page)).time - (time - 15)) < 0.5, "back by 15 seconds, once");
    await choice(page, "Video · 180p").check({ force: true });
    await page.waitForFunction(() => document.querySelector("video#theme-player")?.readyState > 1);
    now = await state(page);
    assert.ok(now.paused && Math.abs(now.time - (time - 15)) < 0.5 && now.rate === 1.5 && now.file === "film.mp4", JSON.stringify(now));
    assert.equal(await isFilm(page), 1);
    await until(async () => (await state(page)).captions.length === 1, "captions of the other film");
    assert.equal(await page.locator("#theme-player").count(), 1);
    assert.equal(await page.evaluate(() => navigator.mediaSession?.metadata?.title ?? "A stream"), "A stream");
  },

  async "keys choose, and what is chosen has a name, a state and room to be touched"({ page, base }) {
    await ready(page, `${base}/i/talk/`);
    const own = choice(page, "Audio · English");
    await until(() => own.isChecked(), "what plays is chosen");
    assert.equal((await state(page)).kind, "audio");
    await own.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#theme-player").currentSrc.endsWith("talk.wav"));
    await until(() => choice(page, /Deutsch/).isChecked(), "the next is chosen");
    assert.ok(await page.evaluate(() => document.activeElement.type === "radio"));
    const boxes = await page.locator(".switch label:visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(boxes.length > 1 && boxes.every((height) => height >= 44), `${boxes}`);
    await accessible(page, "sound");
    if (!(await canPlayStreams(page))) return assert.equal(await page.locator(".switch label:visible").count(), 2);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("video#theme-player")?.readyState > 0);
    assert.match(await media(page).getAttribute("poster"), /cover\.png$/);
    await accessible(page, "film");
    await shoot(page, "films-talk", { fullPage: true });
  },

  async "a film goes on as a small picture on other pages, its sound without one, and both come back"({ page, base }) {
    await ready(page, `${base}/i/stream/`);
    await media(page).evaluate((one) => one.play());
    await page.waitForFunction(() => document.querySelector("#theme-player").currentTime > 0.5);
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/pages.js")));
    const away = async () => {
      await page.locator(".brand").click();
      await page.locator(".entry").first().waitFor();
    };
    const docked = (kind) => page.waitForFunction((kind) => {
      const found = document.querySelector(`[data-dock] ${kind}`);
      return found && !found.paused && found.currentTime > 0.5;
    }, kind);
    const back = async () => {
      await page.locator("[data-dock]").getByRole("link", { name: "A stream" }).click();
      await page.locator(".player.is-own").waitFor();
      await page.waitForFunction(() => !document.querySelector("#theme-player").paused);
    };
    await away();
    await docked("video");
    await back();
    assert.equal(await isFilm(page), 1);
    await choice(page, /^Audio/).check({ force: true });
    await plays(page, "sound.m4a");
    await away();
    await docked("audio");
    assert.equal(await page.locator("[data-dock] video").count(), 0);
    await page.locator("[data-dock]").getByRole("button", { name: "Pause" }).waitFor();
    await back();
    assert.deepEqual([await isFilm(page), (await state(page)).file], [0, "sound.m4a"]);
    await until(() => choice(page, /^Audio/).isChecked(), "the sound is chosen");
    assert.equal(await page.locator("audio, video").count(), 1);
  },

  async "a stream that is broken gives way to the film"({ page, base }) {
    await ready(page, `${base}/i/broken/`);
    await media(page).evaluate((one) => one.play());
    await plays(page, "film.mp4");
    if (await canPlayStreams(page)) await until(() => choice(page, "Video · 180p").isChecked(), "the film is chosen");
    // One version is no choice.
    else assert.equal(await page.locator(".is-offered").count(), 0);
    assert.equal(await page.locator(".player [data-tell]").textContent(), "");
  },

  async "where listening stopped is remembered for all versions"({ page, base }) {
    await page.addInitScript(() => localStorage.setItem("at:/i/talk/", "22"));
    await ready(page, `${base}/i/talk/`);
    await page.waitForFunction(() => Math.abs(document.querySelector("#theme-player").currentTime - 22) < 1);
    await choice(page, /Deutsch/).check({ force: true });
    await page.waitForFunction(() => document.querySelector("#theme-player").currentSrc.endsWith("talk.wav"));
    await page.waitForFunction(() => Math.abs(document.querySelector("#theme-player").currentTime - 22) < 1);
  },

  async "no playlist can be downloaded, and files can"({ page, base }) {
    for (const name of ["i/stream/", "i/talk/", "i/only/", "i/stream/embed/", "i/only/embed/", "", "archive/"]) {
      await page.goto(`${base}/${name}`);
      const links = await page.locator("a[download]").evaluateAll((all) => all.map(({ href }) => href));
      assert.deepEqual(links.filter((href) => href.includes("m3u8")), [], name);
      if (name === "i/stream/") assert.deepEqual([...new Set(links.map((href) => href.split("/").at(-1)))].sort(), ["film.mp4", "sound.m4a"]);
    }
    await page.goto(`${base}/i/only/`);
    assert.equal(await page.locator("a[href$='.m3u8'][type='application/vnd.apple.mpegurl']").count(), 1);
  },

  async "in a frame, the stream or the film plays with captions"({ page, base }) {
    await page.goto(`${base}/i/stream/embed/`);
    const film = page.locator("video");
    assert.match(await film.getAttribute("poster"), /cover\.png$/);
    await film.evaluate((one) => {
      one.currentTime = 25;
      return one.play();
    });
    await page.waitForFunction(() => document.querySelector("video").textTracks[0]?.activeCues?.[0]?.text === "Words at the end.");
    assert.match(await film.evaluate((one) => one.currentSrc), (await canPlayStreams(page)) ? /stream\.m3u8$/ : /film\.mp4$/);
  },

  async "without JavaScript the browser chooses among the versions"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const sources = (name) => page.locator(`${name} > source`).evaluateAll((all) => all.map((one) => one.getAttribute("src").split("/").at(-1)));
    await page.goto(`${base}/i/stream/`);
    assert.ok(await page.locator("video#theme-player[controls]").isVisible());
    assert.equal(await page.locator(".switch").isVisible(), false);
    assert.deepEqual(await sources("video"), ["stream.m3u8", "film.mp4", "sound.m4a"]);
    await page.goto(`${base}/i/talk/`);
    assert.ok(await page.locator("audio#theme-player[controls]").isVisible());
    assert.deepEqual(await sources("audio#theme-player"), ["sound.m4a", "talk.wav", "stream.m3u8"]);
    await context.close();
  },

  async "in every theme, in both directions, nothing moves, and all fits"({ browser, themes }) {
    for (const [theme, base] of Object.entries(themes)) {
      for (const width of [390, 1440]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: width === 390 ? "dark" : "light" });
        const page = await context.newPage();
        await watchMoves(page);
        for (const slug of ["stream", "talk"]) {
          await ready(page, `${base}/i/${slug}/`);
          await page.locator(".is-offered").waitFor();
          await still(page, `${theme} ${slug} ${width}`);
          const other = slug === "stream" ? "[value$='m4a']" : "[value$='m3u8']";
          await page.locator(".switch label", { has: page.locator(other) }).click();
          await page.waitForFunction((kind) => document.querySelector(`${kind}#theme-player`)?.readyState > 0, slug === "stream" ? "audio" : "video");
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${theme} ${slug} ${width}`);
          await accessible(page, `${theme} ${slug} ${width}`);
          await shoot(page, `films-${theme}-${slug}-${width}`, { fullPage: true });
        }
        await context.close();
      }
    }
  },
};

(async () => {
  const out = sites("default", "en");
  const script = weight(fs.readFileSync(path.join(out, fs.readdirSync(path.join(out, "assets")).map((name) => `assets/${name}/assets/versions.js`).find((name) => fs.existsSync(path.join(out, name))))));
  assert.ok(script < 1500, `${script} bytes`);
  const themes = { default: await serve(sites("default", "ar")) };
  for (const theme of ["podcast", "notes", "photos"]) themes[theme] = await serve(sites(theme, "en"));
  // On a machine without a sound card, Firefox plays films, but no sound alone.
  const onlyInChromium = [
    "sound takes over where the film was, and gives back",
    "a film goes on as a small picture on other pages, its sound without one, and both come back",
    "without JavaScript the browser chooses among the versions",
    "in every theme, in both directions, nothing moves, and all fits",
  ];
  await runInBoth(steps, { base: await serve(out), themes }, { onlyInChromium, args: ["--autoplay-policy=no-user-gesture-required"] });
})();
