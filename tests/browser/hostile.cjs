// Opens pages of what no one should write: texts of 5 MB, 300 chapters, ten hours of transcript, broken cues, HTML in
// every field, fields left out, and media that do not load. The pages stay usable.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/hostile.cjs <feedwright> [<folder>]
//
// The site is written to the folder, if one is given.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, folder, run, serve, silence } = require("./common.cjs");
const { build } = require("./show.cjs");

const hostile = '</title></script><script>alert(1)</script><img src=x onerror=alert(2)>\'"><b>{{title}}';
const text = JSON.stringify(hostile);
const clock = (time) => [3600, 60, 1].map((part, at) => String(Math.floor(time / part) % (at ? 60 : 100)).padStart(2, "0")).join(":");

const items = {
  article: { body: Array.from({ length: 9000 }, (_, n) => `${n % 20 ? "" : `## Part ${n}\n\n`}${`Paragraph ${n} says what the one before said, at length. `.repeat(10)}`).join("\n\n") },
  chapters: {
    fields: 'attachment = "sound.wav"',
    podcast: `chapters = [${Array.from({ length: 300 }, (_, n) => `{ startTime = ${n * 2}, title = "Chapter ${n}" }`).join(", ")}]`,
    files: { "sound.wav": silence() },
  },
  hours: {
    fields: 'attachment = "sound.wav"',
    podcast: 'transcripts = ["said.vtt"]',
    files: {
      "sound.wav": silence(),
      "said.vtt": `WEBVTT\n\n${Array.from({ length: 12000 }, (_, n) => `${clock(n * 3)}.000 --> ${clock(n * 3 + 3)}.000\n<v ${n % 9 < 5 ? "Ana" : "Bo"}>Words that are said in three seconds, number ${n}.\n`).join("\n")}`,
    },
  },
  cues: {
    fields: 'attachment = "sound.wav"',
    podcast: 'transcripts = ["said.vtt"]',
    files: {
      "sound.wav": silence(),
      "said.vtt": `WEBVTT\n\n00:05.000 --> 00:02.000\nBackwards.\n\n99:99:99 --> x\nNo time.\n\n00:10.000 -->\n\n00:20.000 --> 00:21.000\n<v ${hostile}>${hostile}\n\n00:20.500 --> 00:21.000\n<c.unclosed <v \n\n-->\n\n00:30.000 --> 00:31.000\nThe last one.\n`,
    },
  },
  hostile: {
    title: text,
    fields: `attachment = "sound.wav"\nsummary = ${text}\ntags = [${text}]\nauthors = [${text}]`,
    podcast: [
      `people = [{ name = ${text}, role = ${text}, group = ${text} }]`, `location = { name = ${text} }`, `season = { number = 1, name = ${text} }`,
      `episode = { number = 1, display = "<img src=x onerror=alert(2)>" }`, `chapters = [{ startTime = 0, title = ${text} }]`, `soundbites = [{ startTime = 0, duration = 15.0, title = ${text} }]`,
    ].join("\n"),
    files: { "sound.wav": silence() },
  },
  bare: { title: "", fields: 'attachment = "sound.wav"', files: { "sound.wav": silence(1) } },
  broken: { fields: 'attachment = "sound.wav"', podcast: 'chapters = [{ startTime = 0, title = "One" }, { startTime = 9, title = "Two" }]', files: { "sound.wav": Buffer.from("This is no sound.") } },
  film: { fields: 'attachment = "film.mp4"', files: { "film.mp4": Buffer.from("This is no film.") } },
};

const written = (site) => {
  for (const [name, { title = JSON.stringify(`The ${name}`), fields = "", podcast = "", body = "Text.", files = {} }] of Object.entries(items)) {
    const item = path.join(site, "content/items", `x-${name}`);
    fs.mkdirSync(item);
    for (const [file, content] of Object.entries(files)) fs.writeFileSync(path.join(item, file), content);
    const named = title && `title = ${title}\n`;
    fs.writeFileSync(path.join(item, "index.md"), `+++\nid = "x${name}"\nslug = "x-${name}"\ndate_published = "2026-01-01T00:00:00Z"\n${named}${fields}\n\n[podcast]\n${podcast}\n+++\n${body}\n`);
  }
};

const steps = {
  async article(page) {
    assert.ok((await page.locator(".prose p").count()) >= 9000);
  },
  async chapters(page) {
    assert.equal(await page.locator(".chapter").count(), 300);
    await page.locator(".chapter", { hasText: "Chapter 299" }).click();
    await page.waitForFunction(() => document.querySelector("#theme-player").currentTime >= 598);
  },
  async hours(page) {
    await page.locator(".said summary").click();
    await page.getByLabel("Search the transcript").fill("number 11999");
    await page.locator("[data-count]", { hasText: "1 of 1" }).waitFor();
    await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 500));
    await page.locator(".said-text [aria-current]", { hasText: "number 166." }).waitFor();
  },
  async cues(page) {
    const said = await page.locator(".said-text").textContent();
    assert.ok(said.includes("The last one.") && said.includes("alert(1)"), said);
  },
  async hostile(page) {
    assert.equal(await page.locator("h1").first().textContent(), hostile);
    assert.ok((await page.locator("main").textContent()).split("alert(2)").length > 6, "shown as it is written");
    assert.equal(await page.locator("main img[src=x]").count(), 0);
  },
  async bare(page) {
    assert.ok((await page.locator("h1").count()) > 0);
  },
  async broken(page) {
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.locator(".chapter", { hasText: "Two" }).click();
    assert.ok((await page.locator("main a[href$='sound.wav']").count()) > 0, "the file can be had");
  },
  async film(page) {
    await page.locator("video").waitFor();
  },
};

// Counts the seconds that a page works from here on: where much else goes on, a clock would tell of that.
const work = async (page) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
};

// Opens the page of an item, and looks at it.
const look = (name) => async ({ page, base, complaints }) => {
  page.on("dialog", (dialog) => dialog.dismiss().then(() => complaints.push("a script was run")));
  const worked = await work(page);
  await page.goto(`${base}/i/x-${name}/`);
  const opened = await worked();
  await steps[name](page);
  const wide = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((one) => document.documentElement.scrollWidth > 320 && one.getBoundingClientRect().right > 320).map((one) => one.outerHTML.slice(0, 120)));
  assert.deepEqual(wide, [], "scrolls sideways");
  // Large pages would take axe-core minutes, and have nothing that the small ones have not.
  if (!["article", "hours"].includes(name)) await accessible(page, name);
  assert.ok(opened < 5, `opens in ${opened} s of work`);
};

const all = Object.fromEntries(Object.keys(items).map((name) => [name, look(name)]));
all["a list of them all"] = async ({ page, base }) => {
  await page.goto(`${base}/page/2/`);
  assert.ok((await page.locator(".entry").count()) > 0);
};

(async () => {
  const out = build("default", written);
  // The large texts would take html5lib minutes, and the sitemap names them.
  if (folder) fs.cpSync(out, folder, { recursive: true, filter: (file) => !/(x-(article|hours)|sitemap.xml)$/.test(file) });
  await run(all, { base: await serve(out) }, { options: { viewport: { width: 320, height: 800 } } });
})();
