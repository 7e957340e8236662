// Looks in a browser at rare states of a site: an unknown address, a search without results, a long transcript, and the
// way from page to page.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/states.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const { accessible, build, expectConsole, handled, rewrite, runInBoth, serve, shoot, still, strict, until, watchMoves, writeTalk } = require("./common.cjs");

const time = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 23);
const cue = (n) => `${time(n * 4)} --> ${time(n * 4 + 4)}\n<v ${n % 2 ? "Ada" : "Ben"}>Sentence ${n} tells of the tide, the harbour and the long way along the shore.\n`;
const cues = Array.from({ length: 140 }, (_, n) => cue(n));
const talk = '+++\nid = "walk00000001"\ntitle = "A walk"\nslug = "walk"\ndate_published = "2026-03-09T10:00:00Z"\nattachment = "talk.wav"\npodcast.transcripts = ["talk.vtt"]\n+++\nShow notes.\n';
const out = build("small-site", (site) => {
  writeTalk(site, "walk", talk, { "talk.vtt": `WEBVTT\n\n${cues.join("\n")}\n${time(570)} --> ${time(575)}\nThe lighthouse at last.\n` });
  rewrite(site, "site.toml", (text) => `theme_options.social = ["https://github.com/ada", "https://www.linkedin.com/in/ada", "https://ada.example/"]\n${text}`);
});

// Runs in the page: the contrast of a logo with its tile, or of a letter with its tile.
const contrast = async (mark) => {
  const luminance = (colour) => {
    const [r, g, b] = colour.map((channel) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const between = (...colours) => {
    const [dark, light] = colours.map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  if (mark.localName === "svg") {
    const fills = [...mark.children].map((part) => getComputedStyle(part).fill.match(/[\d.]+/g).map(Number));
    return between(...fills);
  }
  mark.loading = "eager";
  await mark.decode();
  const size = 128;
  const canvas = new OffscreenCanvas(size, size).getContext("2d");
  canvas.drawImage(mark, 0, 0, size, size);
  const { data } = canvas.getImageData(0, 0, size, size);
  const tile = [...data.slice(4 * (64 * size + 8)).slice(0, 3)];
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const key = data.slice(at, at + 3).join();
    if (data[at + 3] === 255 && key !== tile.join()) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [ink] = [...counts].sort((a, b) => b[1] - a[1])[0];
  return between(tile, ink.split(",").map(Number));
};

const steps = {
  async "logos and letters contrast with their tiles in both schemes, and come from this site"({ page, base }) {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${base}/subscribe/`);
      const marks = await page.locator(".mark:has(text), img.mark").all();
      assert.ok(marks.length > 12, `${marks.length} marks`);
      for (const mark of marks) {
        const found = await mark.evaluate(contrast);
        assert.ok(found >= 3, `${colorScheme}: ${found} ${await mark.evaluate(({ outerHTML }) => outerHTML)}`);
      }
      await accessible(page, `subscribe ${colorScheme}`);
    }
    const logos = asked.filter((address) => address.includes("/assets/logos-"));
    assert.ok(logos.length > 8 && asked.every((address) => address.startsWith(base)), asked.join(" "));
  },

  async "an unknown address is searched for in words, beside what is new"({ page, base }) {
    expectConsole(page, /404/, "any");
    await watchMoves(page);
    for (const [address, words] of [
      ["/2024/05/the-harbour-walk.html", "the harbour walk"],
      ["/blog/walk%20one_two/", "walk one two"],
      [`/${encodeURIComponent("прогулка-у-моря")}/`, "прогулка у моря"],
      ["/i/2024/", ""],
      ["/2024/", ""],
    ]) {
      await page.goto(base + address);
      assert.equal(await page.getByRole("main").getByRole("searchbox").inputValue(), words, address);
      await still(page, address);
    }
    await page.goto(`${base}/the-walk/`);
    await accessible(page, "unknown address");
    await shoot(page, "unknown-address", { fullPage: true });
    const newest = page.getByRole("region", { name: "Latest" }).getByRole("link");
    assert.equal(await newest.count(), 4);
    assert.match(await newest.first().getAttribute("href"), /^\/i\//);
    await page.getByRole("main").getByRole("button", { name: "Search" }).click();
    await page.waitForURL(`${base}/search/?q=the+walk`);
    await page.getByRole("main").getByRole("link", { name: /A walk/ }).first().waitFor();
  },

  async "a search without results leads to everything else"({ page, base }) {
    await watchMoves(page);
    await page.goto(`${base}/search/?q=zzyzxqj`);
    await page.getByText("No results", { exact: true }).waitFor();
    const tags = page.getByRole("main").getByRole("link", { name: "Tags" });
    assert.ok(await tags.isVisible());
    await shoot(page, "no-results", { fullPage: true });
    await page.getByRole("main").getByRole("searchbox").fill("walk");
    await page.getByRole("main").getByRole("link", { name: /A walk/ }).first().waitFor();
    assert.ok(await tags.isHidden());
    await still(page);
  },

  async "pages fade into each other even if the style sheet comes late, unless motion is reduced"({ page, base }) {
    await page.addInitScript(() => addEventListener("pagereveal", ({ viewTransition }) => (globalThis.fades = Boolean(viewTransition))));
    // A slow network: the style sheet takes longer than the scripts before and after it.
    await page.route(/\/style\.css/, (route) => setTimeout(() => route.continue(), 200));
    const follow = async () => {
      await page.goto(`${base}/`);
      await page.getByRole("link", { name: "A walk" }).first().click();
      await page.waitForURL(`${base}/i/walk/`);
      await page.waitForFunction(() => "fades" in globalThis);
      return page.evaluate(() => globalThis.fades);
    };
    // A busy machine skips some.
    let [transitions, tries] = [0, 0];
    while (transitions < 2 && tries < 10) {
      transitions += await follow();
      tries += 1;
    }
    assert.equal(transitions, 2, `${transitions} of ${tries}`);
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (let times = 0; times < 3; times += 1) assert.equal(await follow(), false);
  },

  async "a page is fetched when the visitor points at its link, under a strict policy"({ page }) {
    const asked = [];
    const headers = { "content-security-policy": strict, "speculation-rules": '"/speculation-rules.json"' };
    const base = await serve(out, { headers, asked });
    await page.goto(`${base}/`);
    await until(() => asked.includes("/speculation-rules.json"), "the rules");
    const link = page.getByRole("link", { name: "A walk" }).first();
    await link.hover();
    await until(() => asked.includes("/i/walk/"), "the page");
    assert.ok(!asked.some((address) => /\.(wav|xml)$/.test(address)), asked.join(" "));
  },

  async "a long transcript is laid out where it is seen, and found as a whole"({ page, base }) {
    await page.goto(`${base}/i/walk/`);
    await page.evaluate(() => (document.querySelector("[data-said] details").open = true));
    const last = page.locator(".said-text p").last();
    assert.equal(await last.locator("[data-start]").last().evaluate((text) => text.checkVisibility({ contentVisibilityAuto: true })), false, "it is out of sight");
    assert.ok(await page.evaluate(() => globalThis.find("lighthouse at last")), "the browser's search");
    await page.goto(`${base}/i/walk/`);
    await page.evaluate(() => (document.querySelector("[data-said] details").open = true));
    await page.getByRole("searchbox", { name: "Search the transcript" }).fill("lighthouse");
    await page.getByText("1 of 1").waitFor();
    await handled(page);
    const isSeen = await last.evaluate((line) => {
      const [own, box] = [line, line.parentElement].map((one) => one.getBoundingClientRect());
      return own.top >= box.top - 1 && own.bottom <= box.bottom + 1;
    });
    assert.ok(isSeen, "the page's own search");
  },

  async "a long transcript is printed as a whole"({ page, base }) {
    await page.goto(`${base}/i/walk/`);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".said-text p").last().evaluate((line) => getComputedStyle(line).contentVisibility), "visible");
  },
};

// Firefox has neither transitions between pages nor speculation rules.
const onlyInChromium = [
  "pages fade into each other even if the style sheet comes late, unless motion is reduced",
  "a page is fetched when the visitor points at its link, under a strict policy",
  "a long transcript is printed as a whole",
];
(async () => runInBoth(steps, { base: await serve(out) }, { onlyInChromium }))();
