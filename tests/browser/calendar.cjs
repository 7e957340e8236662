// Works with the calendar of the editor: what is on which day is seen, events are begun, written and called off, by keyboard
// and on a phone.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/calendar.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { GONE, accessible, expectConsole, run, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, state, visit } = require("./editor_site.cjs");

const toml = 'summary = "Walks" # ours\ntimeZone = "Europe/Berlin"\n';
const club = '+++\nid = "club"\nsummary = "Club" # all of us\nstart = 2026-10-08T20:00:00\nrecurrence = ["RRULE:FREQ=WEEKLY"]\n+++\n\nBring a coat.\n';
const off = '+++\nrecurringEventId = "club"\noriginalStartTime = 2026-10-22T20:00:00\nstatus = "cancelled"\n+++\n';
const camp = '+++\nid = "camp"\nsummary = "Camp"\nstart = 2026-10-30\nend = 2026-11-02\n+++\n';
const own = "content/calendars/walks";

const calendars = async () => {
  const made = await given();
  made.write(`${own}/calendar.toml`, toml);
  made.write(`${own}/club.md`, club);
  made.write(`${own}/off.md`, off);
  made.write(`${own}/camp.md`, camp);
  made.write("content/items/soon.md", '+++\nid = "soon"\ntitle = "Soon"\ndate_published = 2126-10-04T09:00:00Z\n+++\nText.\n');
  made.write("content/items/plan.md", '+++\nid = "plan"\ntitle = "A plan"\nstatus = "unpublished"\ndate_published = 2026-10-13\n+++\nText.\n');
  return made;
};

// Shows a month to someone who has signed in.
const month = async (page, link, name) => {
  await page.goto(link);
  await page.locator("tbody a").first().waitFor();
  await page.evaluate((name) => (location.hash = `#/calendar/${name}`), name);
  await page.locator("[data-day]").first().waitFor();
};
// Opens an event that is on a day.
const open = async (page, link, title) => {
  await month(page, link, "2026-10");
  await page.getByRole("link", { name: title }).first().click();
  await page.locator("#body").waitFor();
};
const day = (page, name) => page.locator(`td:has([data-day="${name}"]), li:has(> [data-day="${name}"])`);
const words = (page, name) => day(page, name).locator(".entry").allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, " ")));

const steps = {
  "a month tells what is on which day, in words": async ({ page, link }) => {
    await month(page, link, "2026-10");
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "October 2026");
    assert.deepEqual(await words(page, "2026-10-08"), ["8:00 PM Club Walks"]);
    assert.deepEqual(await words(page, "2026-10-22"), ["8:00 PM Club Walks · cancelled"]);
    assert.equal(await day(page, "2026-10-22").locator("s").innerText(), "Club");
    assert.deepEqual(await words(page, "2026-10-30"), ["Camp Walks"]);
    assert.deepEqual(await words(page, "2026-10-31"), ["Camp Walks · continued"]);
    assert.deepEqual(await words(page, "2026-10-13"), ["A plan Item · draft"]);
    assert.ok(await page.getByRole("heading", { name: "Drafts without a date" }).isVisible());
    assert.equal(await page.getByRole("columnheader").count(), 7);
    await month(page, page.url().split("#")[0], "2126-10");
    assert.deepEqual(await words(page, "2126-10-04"), ["9:00 AM Soon Item · scheduled"]);
    await month(page, page.url().split("#")[0], "2026-01");
    assert.deepEqual(await words(page, "2026-01-05"), ["9:00 AM A walk Item · published"]);
  },

  "weeks begin as they do where one is": async ({ browser, link, address }) => {
    const first = async (locale, to) => {
      const context = await browser.newContext({ locale });
      const page = await context.newPage();
      await month(page, to, "2026-10");
      const found = await page.locator("[data-day]").first().getAttribute("data-day");
      await context.storageState();
      return [found, context];
    };
    const [sunday, context] = await first("en-US", link);
    assert.equal(sunday, "2026-09-27");
    const kept = await context.storageState();
    const other = await browser.newContext({ locale: "de-DE", storageState: kept });
    const page = await other.newPage();
    await month(page, `${address}/_edit/`, "2026-10");
    assert.equal(await page.locator("[data-day]").first().getAttribute("data-day"), "2026-09-28");
    assert.deepEqual(await words(page, "2026-10-08"), ["20:00 Club Walks"]);
    // Some browsers say the language of the machine, which may be none.
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "language", { get: () => "C" }));
    await page.reload();
    await page.locator('[data-day="2026-09-28"]').waitFor();
    await context.close();
    await other.close();
  },

  "an event is begun on a day by keyboard alone": async ({ page, link, read }) => {
    await month(page, link, "2026-10");
    await page.locator('[data-day="2026-10-01"]').focus();
    // One day is a stop of the Tab key; the others are reached from it.
    assert.equal(await page.locator('[data-day][tabindex="0"]').count(), 1);
    for (const key of ["ArrowDown", "ArrowRight", "End", "Home", "PageDown"]) await page.keyboard.press(key);
    await page.locator('[data-day="2026-11-01"]:focus').waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "November 2026");
    await page.keyboard.press("ArrowLeft");
    await page.locator('[data-day="2026-10-31"]:focus').waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator('[data-day="2026-11-01"]:focus').waitFor();
    for (let n = 0; n < 4; n += 1) await page.keyboard.press("ArrowRight");
    await page.locator('[data-day="2026-11-05"]:focus').waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New event" });
    await page.locator("#new-summary:focus").waitFor();
    assert.equal(await dialog.getByLabel("Day", { exact: true }).inputValue(), "2026-11-05");
    await page.keyboard.type('Harbour "walk"');
    await dialog.getByLabel("Starts at").focus();
    await page.keyboard.type("0930PM");
    await dialog.getByLabel("Ends at").focus();
    await page.keyboard.type("1215AM");
    await dialog.getByText("Time zone: Europe/Berlin.").waitFor();
    await accessible(page, "new event", { iframes: false });
    await shoot(page, "calendar-new");
    await dialog.getByLabel("Title", { exact: true }).press("Enter");
    await page.locator("#body").waitFor();
    assert.match(read(`${own}/2026-11-05-harbour-walk.md`), /^\+\+\+\nid = "\w+"\nsummary = "Harbour \\"walk\\""\nstart = 2026-11-05T21:30:00\nend = 2026-11-06T00:15:00\n\+\+\+\n\n$/);
  },

  "a series of days is begun in a calendar of its own": async ({ page, link, read }) => {
    await month(page, link, "2026-10");
    await page.locator('[data-day="2026-10-17"]').click();
    await page.keyboard.type("Fair");
    await page.getByLabel("Last day").fill("2026-10-18");
    await page.getByLabel("Repeats").selectOption("yearly");
    await page.getByLabel("Calendar", { exact: true }).selectOption("New calendar");
    await page.getByLabel("Folder name").fill("../x");
    await page.getByRole("button", { name: "Create the event" }).click();
    assert.ok(await page.getByLabel("Folder name").evaluate((input) => !input.validity.valid));
    await page.getByLabel("Folder name").fill("fairs");
    await page.getByRole("button", { name: "Create the event" }).click();
    await page.locator("#body").waitFor();
    assert.match(read("content/calendars/fairs/fair.md"), /start = 2026-10-17\nend = 2026-10-19\nrecurrence = \["RRULE:FREQ=YEARLY"\]\n/);
    assert.equal(read("content/calendars/fairs/calendar.toml"), 'summary = "Fairs"\ntimeZone = "UTC"\n');
    await visit(page, "Calendar");
    await page.getByRole("link", { name: "Fairs" }).waitFor();
    // What the server refuses is told in the dialog, and what was typed stays.
    await page.getByRole("button", { name: "New event", exact: true }).click();
    await page.keyboard.type(" ");
    await page.getByRole("button", { name: "Create the event" }).click();
    await page.getByText("write a title for the event").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Low tide");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("dialog").count(), 0);
    // What was not made is there when another one is begun.
    const another = page.locator("[data-day]").nth(9);
    await another.click();
    assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "Low tide");
    assert.equal(await page.getByLabel("Day", { exact: true }).inputValue(), await another.getAttribute("data-day"));
    await page.getByRole("button", { name: "Create the event" }).click();
    await page.locator("#body").waitFor();
    await page.goBack();
    await another.click();
    assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "");
    await page.keyboard.press("Escape");
    expectConsole(page, /status of 400/, 1);
  },

  "fields of an event are lines of its file, and nothing is saved by itself": async ({ page, link, read }) => {
    await open(page, link, "Club");
    assert.equal(await page.getByRole("button", { name: "Publish" }).isVisible(), false);
    const times = page.getByRole("region", { name: "Dates of the event" });
    await times.getByText("Time zone: Europe/Berlin.").waitFor();
    assert.equal(await times.getByRole("listitem").count(), 6);
    const start = page.getByRole("group", { name: "Start" });
    assert.equal(await start.getByLabel("Day").inputValue(), "2026-10-08");
    await start.getByLabel("Time", { exact: true }).fill("19:30");
    await start.getByLabel("Time", { exact: true }).press("Tab");
    await times.getByText("7:30 PM").first().waitFor();
    await page.getByRole("group", { name: "Repeats" }).getByLabel("How often").selectOption("Every month");
    await page.locator("#field-location").fill("Pier 4");
    await page.locator("#field-location").press("Tab");
    await page.locator("#field-status").selectOption("tentative");
    await until(() => page.locator("#field-status").evaluate((input) => input.value === "tentative"), "it is read");
    await page.getByRole("button", { name: "Show changes" }).click();
    const wanted = club.replace("T20:00:00", "T19:30:00").replace("WEEKLY", "MONTHLY").replace("+++\n\nBring", 'location = "Pier 4"\nstatus = "tentative"\n+++\n\nBring');
    await until(async () => (await page.locator(".difference ins").count()) === 4, "the diff is shown");
    // It looks at the file every four seconds, and would have saved a draft in between.
    for (let looks = 0; looks < 2; looks += 1) await page.waitForResponse("**/_edit/api/open");
    assert.equal(read(`${own}/club.md`), club);
    await state(page, "Not saved");
    // It is in this browser all the same.
    await page.reload();
    await page.getByText("unsaved text was restored").waitFor();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read(`${own}/club.md`), wanted);
  },

  "times keep the zone that they have": async ({ page, link, read, write }) => {
    const text = '+++\nid = "far"\nsummary = "Far away"\nstart = { dateTime = 2026-10-09T18:00:00, timeZone = "America/New_York" } # there\nend = 2026-10-10T01:00:00+02:00\n+++\n';
    write(`${own}/far.md`, text);
    await open(page, link, "Far away");
    const [start, ends] = ["Start", "End"].map((name) => page.getByRole("group", { name }));
    assert.equal(await start.getByLabel("Zone").inputValue(), "America/New_York");
    assert.equal(await ends.getByLabel("Zone").inputValue(), "+02:00");
    await start.getByLabel("Time", { exact: true }).fill("17:00");
    await ends.getByLabel("Time", { exact: true }).fill("00:30");
    await ends.getByLabel("Zone").focus();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read(`${own}/far.md`), text.replace("T18:00", "T17:00").replace("T01:00", "T00:30"));
  },

  "whole days end on their last one, whatever the file calls it": async ({ page, link, read }) => {
    await open(page, link, "Camp");
    const [start, ends] = ["Start", "End"].map((name) => page.getByRole("group", { name }));
    const saved = async (wanted) => {
      await page.keyboard.press("Control+s");
      await until(() => read(`${own}/camp.md`) === wanted, wanted);
    };
    assert.equal(await ends.getByLabel("Last day").inputValue(), "2026-11-01");
    await ends.getByLabel("Last day").fill("2026-10-31");
    await ends.getByLabel("Time", { exact: true }).focus();
    const shorter = camp.replace("2026-11-02", "2026-11-01");
    await saved(shorter);
    await start.getByLabel("Time", { exact: true }).fill("18:00");
    await ends.getByLabel("Time", { exact: true }).fill("12:00");
    await ends.getByLabel("Zone").focus();
    await ends.getByLabel("Day", { exact: true }).waitFor();
    const timed = shorter.replace("2026-10-30", "2026-10-30T18:00:00").replace("2026-11-01", "2026-10-31T12:00:00");
    await saved(timed);
    // And back, in the other order.
    await ends.getByLabel("Time", { exact: true }).fill("");
    await start.getByLabel("Time", { exact: true }).fill("");
    await start.getByLabel("Zone").focus();
    await ends.getByLabel("Last day").waitFor();
    assert.equal(await ends.getByLabel("Last day").inputValue(), "2026-10-31");
    await saved(shorter);
  },

  "an event that comes next is seen as visitors see it, and a private one is not": async ({ page, link, write }) => {
    const soon = new Date(Date.now() + 2 * 86400000).toISOString().slice(0, 10);
    write(`${own}/soon.md`, `+++\nid = "soon"\nsummary = "Soon there"\nstart = ${soon}\n+++\n`);
    await month(page, link, soon.slice(0, 7));
    await page.getByRole("link", { name: "Soon there" }).first().click();
    const upcoming = page.frameLocator("iframe.is-shown").locator(".upcoming");
    await upcoming.getByText("Soon there").waitFor();
    await page.locator("#field-summary").fill("Very soon there");
    await page.locator("#field-location").focus();
    await upcoming.getByText("Very soon there").waitFor();
    await shoot(page, "calendar-soon");
    await page.locator("#field-visibility").selectOption("private");
    await page.getByText("visitors do not see it").waitFor();
    await until(async () => !(await upcoming.getByText("Very soon there").count()), "it is gone");
    // What a live show needs makes a table of it.
    await page.locator("#field-visibility").selectOption("");
    await page.getByText("More fields").click();
    await page.locator("#field-live").selectOption("Yes");
    await until(() => page.locator("#field-live").evaluate((input) => input.value === "true"), "it is live");
  },

  "two windows on one event lose nothing": async ({ page, context, link, address, read }) => {
    await open(page, link, "Club");
    const other = await context.newPage();
    await open(other, `${address}/_edit/`, "Club");
    await page.locator("#field-location").fill("Pier 1");
    await other.locator("#field-location").fill("Pier 2");
    await page.locator("#field-location").press("Tab");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    await other.locator("#field-location").press("Tab");
    await other.keyboard.press("Control+s");
    await other.getByText("changed elsewhere").waitFor();
    assert.match(await other.locator(".difference").innerText(), /− location = "Pier 1"\s+\+ location = "Pier 2"/);
    assert.match(read(`${own}/club.md`), /Pier 1/);
    await other.getByRole("button", { name: "Overwrite with my text" }).click();
    await state(other, "Saved");
    assert.match(read(`${own}/club.md`), /Pier 2/);
    expectConsole(page, /status of 409/);
  },

  "what is written while the server is gone is there when it is back": async ({ page, link, address, read, start, stop }) => {
    await open(page, link, "Club");
    await stop();
    await page.locator("#body").press("Control+End");
    await page.keyboard.type("And a lamp.");
    await page.getByText("The server does not answer.").waitFor();
    await start(new URL(address).host);
    await page.reload();
    await page.getByText("unsaved text was restored").waitFor();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read(`${own}/club.md`), `${club}And a lamp.\n`);
    expectConsole(page, GONE);
  },

  "a calendar is described in its form, and another begun": async ({ page, link, read }) => {
    await month(page, link, "2026-10");
    await page.locator("main").getByRole("link", { name: "Walks", exact: true }).press("Enter");
    await page.locator("#field-summary").waitFor();
    assert.equal(await page.locator("#field-summary").inputValue(), "Walks");
    await page.locator("#field-summary").fill("Long walks");
    await page.locator("#field-public").selectOption("No");
    await until(() => page.locator("#body").evaluate((area) => area.value.includes("public = false")), "it is in the text");
    await shoot(page, "calendar-toml");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read(`${own}/calendar.toml`), `${toml.replace('"Walks"', '"Long walks"')}public = false\n`);
    await visit(page, "Calendar");
    await page.getByText("not public").waitFor();
    await page.getByLabel("New calendar").fill("book-club");
    await page.keyboard.press("Enter");
    await page.locator("#field-summary").fill("Book club");
    await page.locator("#field-timeZone").fill("Europe/Lisbon");
    await page.locator("#field-summary").focus();
    await until(() => page.locator("#body").evaluate((area) => area.value.includes("Lisbon")), "it is in the text");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/calendars/book-club/calendar.toml"), 'summary = "Book club"\ntimeZone = "Europe/Lisbon"\n');
  },

  "a broken event is listed and mended, and one is called off or taken away": async ({ page, link, site, read, write }) => {
    write(`${own}/fair.md`, '+++\nid = "fair"\nsummary = "Fair"\nstart = "soon"\n+++\n');
    write("content/calendars/club/calendar.toml", "summary = \"Club\ntimeZone = 5\n");
    await month(page, link, "2026-10");
    await page.getByRole("link", { name: `${own}/fair.md:4` }).press("Enter");
    const start = page.getByRole("group", { name: "Start" });
    await start.getByText("is not a date or time").waitFor();
    await start.getByLabel("Day").fill("2026-10-12");
    await until(async () => !(await start.getByText("is not a date or time").count()), "nothing is wrong any more");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.match(read(`${own}/fair.md`), /\nstart = "2026-10-12"\n/);
    page.once("dialog", (dialog) => {
      assert.match(dialog.message(), /cancelled/);
      dialog.accept();
    });
    await page.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("heading", { name: "Calendars" }).waitFor();
    assert.ok(!fs.existsSync(path.join(site, `${own}/fair.md`)));
    // A calendar.toml that cannot be read is mended as text.
    await page.getByRole("link", { name: /club\/calendar\.toml/ }).click();
    await page.locator("#body").fill('summary = "Club"\n');
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    await until(() => page.locator("#field-summary").evaluate((input) => input.value === "Club"), "its fields are shown");
    expectConsole(page, /status of 400/, 1);
  },

  "a day with much on it stays short": async ({ page, link, write }) => {
    write(`${own}/often.md`, '+++\nid = "often"\nsummary = "<b>Often</b>"\nstart = 2026-10-05T08:00:00\nrecurrence = ["RRULE:FREQ=HOURLY;COUNT=10"]\n+++\n');
    await month(page, link, "2026-10");
    await day(page, "2026-10-05").getByText("5 more").click();
    assert.equal((await words(page, "2026-10-05")).length, 10);
    assert.match((await words(page, "2026-10-05"))[0], /<b>Often<\/b>/);
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link }) => {
    await month(page, link, "2026-10");
    for (const view of ["month", "event"]) {
      if (view === "event") await open(page, page.url().split("#")[0], "Club");
      for (const scheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const width of [1280, 800, 390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          if (view === "month") {
            await page.locator(width > 768 ? ".month table" : ".month .days").waitFor();
            assert.deepEqual(await words(page, "2026-10-22"), ["8:00 PM Club Walks · cancelled"]);
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${view}: ${wide} of ${width} pixels`);
          await accessible(page, `${view} ${scheme} ${width}`, { iframes: false });
          await shoot(page, `calendar-${view}-${scheme}-${width}`, { fullPage: true });
        }
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  },

  "on a phone a day is a row, and an event is begun on it": async ({ page, link, read }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await month(page, link, "2026-10");
    assert.equal(await page.locator(".days > li").count(), 31);
    await page.locator('[data-day="2026-10-06"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.locator('[data-day="2026-10-07"]:focus').waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Tea");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} pixels`);
    await accessible(page, "new event on a phone", { iframes: false });
    await shoot(page, "calendar-new-390");
    await page.keyboard.press("Enter");
    await page.locator("#body").waitFor();
    assert.match(read(`${own}/2026-10-07-tea.md`), /start = 2026-10-07\n\+\+\+/);
    // The way to the month after keeps the focus.
    await month(page, page.url().split("#")[0], "2026-10");
    await page.getByRole("link", { name: "November 2026, the next month" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "November 2026" }).waitFor();
    await page.locator("#month-after:focus").waitFor();
  },
};

run(steps, calendars, { workers: 2, always: [ofPreviews] }).finally(end);
