// Looks in a browser at live shows as time goes by: they wait, they are on, they are over.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/live.cjs <feedwright>
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { rewrite, run, serve } = require("./common.cjs");
const { build } = require("./show.cjs");

const at = (time) => new Date(`2026-04-${time}Z`);

// The site is built on 19 April, at noon.
const shows = (site) => {
  const stream = (title, guid, times) => `[[podcast.liveItems]]\nstatus = "pending"\ntitle = "${title}"\nguid = "${guid}"\n${times}\nenclosure = { url = "https://tides.example/live.mp3", type = "audio/mpeg" }\ncontentLinks = ["https://tides.example/watch"]\n\n`;
  const streams = stream("With an end", "a", "start = 2026-04-20T18:00:00Z\nend = 2026-04-20T19:00:00Z") + stream("Without one", "b", "start = 2026-04-21T18:00:00Z");
  rewrite(site, "content/channel.md", (text) => text.replace(/\n\+\+\+\n/, `\n\n${streams}+++\n`));
  const calendar = path.join(site, "content/calendars/shows");
  fs.mkdirSync(calendar, { recursive: true });
  fs.writeFileSync(path.join(calendar, "calendar.toml"), 'summary = "Shows"\ntimeZone = "UTC"\n');
  const event = (name, start, end, live = "") => fs.writeFileSync(path.join(calendar, `${name.replaceAll(" ", "-")}.md`),
    `+++\nsummary = "${name}"\nstart = { dateTime = "2026-04-${start}Z" }\nend = { dateTime = "2026-04-${end}Z" }\n[live]\n${live}contentLinks = ["https://tides.example/watch"]\n+++\n`);
  event("Already on", "19T11:00:00", "19T13:00:00");
  event("By the clock", "20T08:00:00", "20T09:00:00");
  event("By an app", "20T10:00:00", "20T11:00:00", 'app = "studio"\n');
  event("Said to be on", "20T12:00:00", "20T13:00:00", 'status = "live"\n');
  fs.appendFileSync(path.join(site, "site.toml"), '\n[[realtime]]\napp_id = "studio"\nsecret_env = "STUDIO_SECRET"\n');
};

// What a visitor sees of a show: gone, waits, on, and whether it can be listened to; and how long there is to wait.
const seen = (page, name) => page.evaluate((name) => {
  const show = [...document.querySelectorAll(".upcoming li")].find((one) => one.textContent.includes(name));
  if (!show || !show.checkVisibility()) return "gone";
  const isSeen = (selector) => Boolean(show.querySelector(selector)?.checkVisibility());
  const [isOn, isHeard] = [isSeen(".on-air"), isSeen("a.chip-main")];
  if (isOn !== isHeard) return `on ${isOn}, heard ${isHeard}`;
  return isOn ? "on" : `waits ${show.querySelector("[data-countdown]").textContent}`.trim();
}, name);

// Each is asked in the order of time: when, which show, what is seen.
const day = [
  ["19T12:30:00", "Already on", "on"],
  ["19T13:00:01", "Already on", "gone"],
  ["19T13:00:01", "By the clock", "waits in 19 hours"],
  ["20T07:59:30", "By the clock", "waits in 30 seconds"],
  ["20T08:00:01", "By the clock", "on"],
  ["20T09:00:01", "By the clock", "gone"],
  ["20T09:59:00", "By an app", "waits in 1 minute"],
  ["20T10:30:00", "By an app", "waits"],
  ["20T11:00:01", "By an app", "gone"],
  ["20T11:30:00", "Said to be on", "on"],
  ["20T17:59:50", "With an end", "waits in 10 seconds"],
  ["20T18:00:01", "With an end", "on"],
  ["20T18:00:01", "Without one", "waits in 1 day"],
  ["20T18:59:59", "With an end", "on"],
  ["20T19:00:01", "With an end", "gone"],
  ["21T18:00:01", "Without one", "on"],
  ["21T22:00:01", "Without one", "gone"],
];

const steps = {
  async "shows begin and end while the page is open"({ page, base }) {
    await page.clock.install({ time: at("19T12:29:00") });
    await page.goto(base);
    let shown;
    for (const [time, name, expected] of day) {
      if (shown !== time) {
        await page.clock.pauseAt(at(time) - 1000);
        // What counts down looks once a second.
        await page.clock.runFor(1000);
        shown = time;
      }
      assert.equal(await seen(page, name), expected, `${name} at ${time}`);
    }
    assert.ok(await page.locator("[aria-labelledby=theme-streams]").isHidden(), "an empty list goes with its last show");
  },

  async "a page that is opened later shows what is true then"({ browser, base }) {
    for (const [time, name, expected] of day) {
      const page = await browser.newPage();
      await page.clock.setFixedTime(at(time));
      await page.goto(base);
      assert.equal(await seen(page, name), expected, `${name} at ${time}`);
      await page.close();
    }
  },

  async "without scripts it is as it was built"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(base);
    const isOn = (name) => page.locator(".upcoming li", { hasText: name }).locator(".on-air").isVisible();
    assert.deepEqual([await isOn("Already on"), await isOn("By the clock"), await isOn("With an end")], [true, false, false]);
    await context.close();
  },
};

(async () => run(steps, { base: await serve(build("default", shows)) }, { options: { locale: "en-US" } }))();
