// Fills in the fields of episodes, photos, posts and pages, publishes and schedules them, and edits files as text.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/fields.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { GONE, accessible, expectConsole, fixtures, run, shoot, silence, until } = require("./common.cjs");
const { draft, end, given, ofPreviews, state, walk, withModules } = require("./editor_site.cjs");

const cover = fs.readFileSync(path.join(fixtures, "small-site/content/items/episode/cover.png"));
const pier = '+++\nid = "pier"\nslug = "pier"\ntitle = "The pier" # in winter\nstatus = "unpublished"\nattachment = "talk.wav"\n\n[podcast]\nseason = 2\nepisode = 8\n+++\nWaves.\n';
const sea = '+++\nid = "sea"\nslug = "sea"\ntitle = "The sea"\ndate_published = "2026-07-05T09:00:00+02:00"\nattachment = "sea.png"\n+++\nBlue.\n';
const files = { pier: "content/items/pier/index.md", sea: "content/items/sea/index.md", walk: "content/items/walk.md", fog: "content/items/fog.md" };

// A site in Berlin with an episode, a photo, a post and a page.
const berlin = async () => {
  const made = await given();
  made.write("content/items/pier/talk.wav", silence(5));
  made.write(files.pier, pier);
  made.write("content/items/sea/sea.png", cover);
  made.write(files.sea, sea);
  made.write("content/pages/about.md", '+++\ntitle = "About"\n+++\nUs.\n');
  made.write("site.toml", 'base_url = "https://walks.example"\ntimezone = "Europe/Berlin"\n');
  return made;
};
const siteOf = (page) =>
  page.evaluate(async () => {
    const { ask } = await import("/_edit/app/server.js");
    return ask("site");
  });
// Opens a file when the server has read all of the site.
const openFile = async (page, link, file) => {
  await withModules(page);
  await page.goto(link);
  await page.locator("tbody a").first().waitFor();
  await until(async () => {
    const site = await siteOf(page);
    return site.time_zone === "Europe/Berlin" && site.files.some((one) => one.path === files.sea);
  }, "the site is read");
  await page.evaluate((file) => (location.hash = `#/open/${file}`), file);
  await page.locator("#field-title").waitFor();
};
const save = async (page) => {
  await page.keyboard.press("Control+s");
  await state(page, "Saved");
};
const labels = (page, inside) => page.locator(`${inside} > .field > label, ${inside} > .pair label, ${inside} > details > summary, ${inside} > section h2`).evaluateAll((all) => all.map((one) => one.firstChild.textContent));
const online = (page, words) => page.locator(".visibility", { hasText: words }).waitFor();
const whole = (page) => page.locator("#whole");
const putCaret = (page, before) => whole(page).evaluate((area, text) => {
  area.focus();
  const at = area.value.indexOf(text);
  area.setSelectionRange(at, at);
}, before);
// Begins a line before a text.
const beginLine = async (page, before) => {
  await putCaret(page, before);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
};
const chosen = (page) => whole(page).evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));

const steps = {
  "an episode has its fields in the order of its making": async ({ page, link }) => {
    await openFile(page, link, files.pier);
    assert.deepEqual(await labels(page, ".lead"), ["Recording", "Chapters", "Title", "Season", "Episode"]);
    assert.deepEqual(await labels(page, "form.fields"), ["Cover", "People", "Transcript", "Tags", "Date", "More"]);
    const groups = page.locator("section.more > details");
    assert.deepEqual(await groups.locator("> summary").allTextContents(), ["Address and language", "Search engines and sharing", "Apple Podcasts", "Podcast details", "Advanced"]);
    assert.equal(await page.locator("section.more > details[open]").count(), 0);
    await page.getByLabel("Notes").waitFor();
    // Folded fields are found by their plain names.
    await groups.nth(2).locator("> summary").click();
    await page.getByLabel("Sensitive content").selectOption("Yes");
    await groups.nth(0).locator("> summary").click();
    await page.getByLabel("Web address").waitFor();
    assert.deepEqual(await page.getByLabel("Who can see it").locator("option").allTextContents(), ["Everybody", "Only people with the link", "Only you (draft)"]);
    await shoot(page, "fields-episode", { fullPage: true });
  },

  "a field changes its own lines": async ({ page, link, read }) => {
    await openFile(page, link, files.pier);
    await page.locator("#field-podcast-episode").fill("9");
    await page.locator("#field-podcast-season").focus();
    await until(() => read(files.pier) === pier.replace("episode = 8", "episode = 9"), "the number is saved");
    await page.locator("section.more summary", { hasText: "Podcast details" }).click();
    await page.getByLabel("Name of the season").fill("Winter");
    await page.getByLabel("Name of the season").press("Tab");
    await until(() => /name = "Winter"/.test(read(files.pier)), "the season has a name");
    assert.equal(await page.locator("#field-podcast-season").inputValue(), "2");
  },

  "a photo has a picture, a caption and words for those who cannot see it": async ({ page, link, read }) => {
    await openFile(page, link, files.sea);
    assert.deepEqual(await labels(page, ".lead"), ["Picture", "Caption", "Alternative text"]);
    assert.deepEqual(await labels(page, "form.fields"), ["Tags", "Date", "More"]);
    const words = page.getByRole("textbox", { name: "Alternative text" }).first();
    assert.equal(await words.getAttribute("id"), "field-image-alt");
    await words.fill("Grey waves");
    await page.getByLabel("Caption").focus();
    await save(page);
    assert.equal(read(files.sea), sea.replace("+++\nBlue", '\n[image]\nalt = "Grey waves"\nurl = "sea.png"\n+++\nBlue'));
  },

  "a post that gets a recording is an episode": async ({ page, link, write, read }) => {
    write("content/items/stroll/talk.wav", silence(5));
    const file = "content/items/stroll/index.md";
    write(file, walk.replaceAll("walk", "stroll"));
    await openFile(page, link, files.sea);
    await page.evaluate((file) => (location.hash = `#/open/${file}`), file);
    await page.locator("h1", { hasText: "A stroll" }).waitFor();
    await page.locator("section.more summary", { hasText: "Advanced" }).click();
    await page.getByLabel("Attached file").fill("talk.wav");
    await page.getByLabel("Attached file").press("Tab");
    await page.getByLabel("Recording").waitFor();
    assert.deepEqual(await labels(page, ".lead"), ["Recording", "Chapters", "Title", "Season", "Episode"]);
    await page.locator("#field-podcast-episode").fill("1");
    await page.locator("#field-podcast-episode").press("Tab");
    await save(page);
    assert.match(read(file), /attachment = "talk.wav"\n\n\[podcast\]\nepisode = 1\n\+\+\+\n/);
  },

  "posts, pages and the site have theirs": async ({ page, link, read }) => {
    await openFile(page, link, files.walk);
    assert.deepEqual(await labels(page, ".lead"), ["Title"]);
    assert.deepEqual(await labels(page, "form.fields"), ["Cover", "Tags", "Date", "More"]);
    await page.evaluate(() => (location.hash = "#/open/content/pages/about.md"));
    await page.getByLabel("Show in the menu").waitFor();
    assert.deepEqual(await labels(page, ".lead"), ["Title"]);
    assert.deepEqual(await labels(page, "form.fields"), ["Description in search results", "Show in the menu", "More"]);
    await page.evaluate(() => (location.hash = "#/channel"));
    await page.getByLabel("Description", { exact: true }).waitFor();
    assert.deepEqual(await labels(page, ".lead"), ["Name", "Artwork"]);
    assert.deepEqual(await labels(page, "form.fields"), ["Language", "Authors", "Ways to follow", "Ways to support you", "More"]);
    await page.getByLabel("Language", { exact: true }).fill("de");
    await page.locator("#body").focus();
    await save(page);
    assert.equal(read("content/channel.md"), '+++\ntitle = "Walks"\nlanguage = "de"\n+++\nBy the sea.\n');
  },

  "times are those of the site, across changes of the clock": async ({ page, link }) => {
    await openFile(page, link, files.walk);
    const made = await page.evaluate(async () => {
      const { localOf, momentOf, parse, write } = await import("/_edit/app/moment.js");
      const zone = "Europe/Berlin";
      const again = (local, like, own = zone) => write(momentOf(local, own), own, like);
      return {
        read: ["2026-01-05T09:00:00Z", "2026-07-05 09:00", "2026-07-05", "Fri, 09 Oct 2020 04:30:38 GMT", "2026-11-20 09:30 +0200", "soon"].map((text) => localOf(parse(text, zone), zone)),
        none: again("2026-07-05T09:30"),
        utc: again("2026-07-05T09:30", "2026-01-05T09:00:00Z"),
        offset: again("2026-01-05T09:30", "2026-07-05T09:00:00+02:00"),
        short: again("2026-01-05T09:30", "2026-07-05 09:00:00 +0200"),
        local: again("2026-01-05T09:30", "2026-07-05 09:00"),
        day: again("2026-01-06T00:00", "2026-01-05"),
        dayAndTime: again("2026-01-06T10:00", "2026-01-05"),
        // Clocks go from 2:00 to 3:00, and from 3:00 back to 2:00.
        skipped: again("2026-03-29T02:30"),
        twice: again("2026-10-25T02:30"),
        after: again("2026-10-25T03:30"),
        half: again("2026-07-05T09:30", undefined, "Asia/Kolkata"),
        west: again("2026-12-31T23:30", undefined, "America/St_Johns"),
        world: again("2026-07-05T09:30", undefined, "UTC"),
        unknown: again("2026-07-05T09:30", undefined, "Nowhere/Else"),
      };
    });
    assert.deepEqual(made, {
      read: ["2026-01-05T10:00", "2026-07-05T09:00", "2026-07-05T00:00", "2020-10-09T06:30", "2026-11-20T08:30", ""],
      none: "2026-07-05T09:30:00+02:00",
      utc: "2026-07-05T07:30:00Z",
      offset: "2026-01-05T09:30:00+01:00",
      short: "2026-01-05 09:30:00+0100",
      local: "2026-01-05 09:30:00",
      day: "2026-01-06",
      dayAndTime: "2026-01-06T10:00:00+01:00",
      skipped: "2026-03-29T03:30:00+02:00",
      twice: "2026-10-25T02:30:00+02:00",
      after: "2026-10-25T03:30:00+01:00",
      half: "2026-07-05T09:30:00+05:30",
      west: "2026-12-31T23:30:00-03:30",
      world: "2026-07-05T09:30:00Z",
      unknown: "2026-07-05T09:30:00Z",
    });
  },

  "a date is picked in the time zone of the site": async ({ page, link, read }) => {
    await openFile(page, link, files.walk);
    const date = page.getByLabel("Date", { exact: true });
    assert.equal(await date.inputValue(), "2026-01-05T10:00");
    await page.getByText("Time zone: Europe/Berlin.").first().waitFor();
    // To look is no change.
    await date.focus();
    await page.locator("#body").focus();
    await state(page, "Saved");
    await date.fill("2026-07-01T08:15");
    await page.locator("#body").focus();
    await save(page);
    assert.match(read(files.walk), /^date_published = "?2026-07-01T06:15:00Z"?$/m);
    assert.equal(read(files.walk).replace(/^date_published.*$/m, ""), walk.replace(/^date_published.*$/m, ""));
    // The zone of the browser is another one.
    assert.equal(await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone), "Pacific/Auckland");
  },

  "each way to publish says what follows": async ({ page, link, read }) => {
    await openFile(page, link, files.pier);
    await online(page, "Draft: only you see it.");
    const ask = (name) => page.getByRole("button", { name, exact: true }).click();
    await ask("Schedule");
    const then = page.locator("#published-then");
    assert.equal(await then.innerText(), "Goes online with the next publishing.");
    const date = page.getByLabel("Readers see it from");
    await date.fill("2031-11-20T09:00");
    await page.locator(".panel").getByRole("button", { name: "Schedule" }).waitFor();
    assert.match(await then.innerText(), /^Goes online with the first publishing after Thursday, .*20.* 9:00/);
    // No more than one button is the main one.
    assert.equal(await page.locator("main button:not(.quiet, .toolbar button):visible").count(), 1);
    await accessible(page, "publish", { iframes: false });
    await shoot(page, "fields-publish");
    await ask("Cancel");
    await date.waitFor({ state: "hidden" });
    assert.equal(read(files.pier), pier);
    await ask("Schedule");
    await date.fill("2031-11-20T09:00");
    await date.press("Enter");
    await online(page, /^Scheduled: goes online with the first publishing after Thursday/);
    assert.match(read(files.pier), /^date_published = "2031-11-20T09:00:00\+01:00"$/m);
    assert.doesNotMatch(read(files.pier), /status/);
    // Now instead of later.
    await ask("Visibility");
    await date.fill("");
    await ask("Publish now");
    await online(page, "Saved; goes online after the next publishing.");
    const now = /^date_published = "(.*)"$/m.exec(read(files.pier))[1];
    assert.match(now, /\+0[12]:00$/);
    assert.ok(Math.abs(Date.now() - Date.parse(now)) < 60_000, now);
    // And back.
    await ask("Visibility");
    await page.getByText("If it is online, the next publishing removes it.").waitFor();
    await ask("Save as draft");
    await online(page, "Draft: only you see it.");
    assert.match(read(files.pier), /^status = "unpublished"$/m);
    assert.ok(read(files.pier).includes('title = "The pier" # in winter\n'));
  },

  "a file is edited as text, with its keys completed": async ({ page, link, read }) => {
    await openFile(page, link, files.walk);
    await page.getByRole("button", { name: "Edit the file" }).click();
    assert.equal(await whole(page).inputValue(), walk);
    await beginLine(page, "+++\nThe");
    await page.keyboard.type("s");
    const options = page.locator("#keys [role=option] code");
    await options.first().waitFor();
    assert.deepEqual(await options.allTextContents(), ["seo", "series", "status", "summary"]);
    const active = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText.split("\n")[0]);
    for (const next of ["series", "status", "summary"]) {
      await page.keyboard.press("ArrowDown");
      assert.equal(await active(), next);
    }
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#keys").isVisible(), false);
    await page.keyboard.type("u");
    await page.keyboard.press("Enter");
    await page.keyboard.type('"By the sea."\n[pod');
    await page.keyboard.press("Enter");
    await page.keyboard.type("sea");
    await options.first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("7");
    const wanted = walk.replace("+++\nThe", 'summary = "By the sea."\n[podcast]\nseason = 7\n+++\nThe');
    assert.equal(await whole(page).inputValue(), wanted);
    // Undo is the browser's.
    await page.keyboard.press("Control+z");
    assert.notEqual(await whole(page).inputValue(), wanted);
    await page.keyboard.press("Control+Shift+z");
    assert.equal(await whole(page).inputValue(), wanted);
    await save(page);
    assert.equal(read(files.walk), wanted);
    await page.getByRole("button", { name: "Back to the form" }).click();
    await until(async () => (await page.locator("#field-summary").inputValue()) === "By the sea.", "the form has the new value");
    assert.equal(await page.locator("#body").inputValue(), "The ferry was **late**.\n");
    await state(page, "Saved");
  },

  "YAML is completed, too, and only between its lines": async ({ page, link }) => {
    await openFile(page, link, files.fog);
    await page.getByRole("button", { name: "Edit the file" }).click();
    await beginLine(page, "---\nGrey");
    await page.keyboard.type("pod");
    await page.locator("#keys").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("sea");
    await page.locator("#keys").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("3");
    assert.equal(await whole(page).inputValue(), draft.replace("---\nGrey", "podcast:\n  season: 3\n---\nGrey"));
    await page.keyboard.press("Control+End");
    await page.keyboard.type("sum");
    assert.equal(await page.locator("#keys").isVisible(), false);
  },

  "a problem leads to its line": async ({ page, link, read }) => {
    await openFile(page, link, files.walk);
    await page.getByRole("button", { name: "Edit the file" }).click();
    await putCaret(page, "+++\nThe");
    await page.keyboard.type('date_created = "soon"\nsummery = "No."\n');
    const problem = page.getByRole("button", { name: /^Line 6: .*date_created/ });
    await problem.click();
    assert.equal(await chosen(page), 'date_created = "soon"');
    await page.getByRole("button", { name: /^Line 7: / }).press("Enter");
    assert.equal(await chosen(page), 'summery = "No."');
    assert.equal(await page.evaluate(() => document.activeElement.id), "whole");
    // Text that cannot be read is not lost either: it is shown, and fixed, as text.
    await putCaret(page, "date_created");
    await page.keyboard.type("=");
    await page.getByRole("button", { name: /^Line 6: / }).waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await until(async () => /^=date_created/m.test(await page.locator("#body").inputValue()), "the whole file is the text");
    assert.equal(await page.locator("#field-title").isVisible(), false);
    assert.equal(read(files.walk), walk);
  },

  "a file as text loses nothing": async ({ page, link, read, write, address, start, stop }) => {
    const dos = walk.replaceAll("\n", "\r\n");
    write(files.walk, dos);
    await openFile(page, link, files.walk);
    await page.getByRole("button", { name: "Edit the file" }).click();
    await state(page, "Saved");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("More.");
    await save(page);
    assert.equal(read(files.walk), `${dos}More.\r\n`);
    // Someone else saves the file.
    await page.keyboard.type(" Mine.");
    write(files.walk, `${dos}Theirs.\r\n`);
    await page.getByRole("heading", { name: "The file was changed elsewhere" }).waitFor();
    await page.getByRole("button", { name: "Use the file, discard my text" }).click();
    assert.equal(await whole(page).inputValue(), `${walk}Theirs.\n`);
    // The server is gone, and the page is loaded anew.
    await stop();
    await page.keyboard.press("Control+End");
    await whole(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Offline.");
    await page.getByText("The server does not answer.").waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await page.getByText("The form is shown when the server answers again.").waitFor();
    await start(new URL(address).host);
    await page.reload();
    await page.getByText("unsaved text was restored").waitFor();
    await save(page);
    assert.equal(read(files.walk), `${dos}Theirs.\r\nOffline.\r\n`);
    expectConsole(page, GONE);
    expectConsole(page, /status of 409/, "any");
  },

  "forms and files are accessible, in both colours and on a phone": async ({ page, link }) => {
    await openFile(page, link, files.pier);
    for (const name of ["People", "Chapters", "Transcript"]) await page.locator("summary", { hasText: RegExp(`^${name}`) }).first().click();
    for (const group of await page.locator("section.more > details > summary").all()) await group.click();
    const look = async (name) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1440, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${wide} of ${width} pixels, ${name}`);
          await accessible(page, `${name} ${colorScheme} ${width}`, { iframes: false });
          await shoot(page, `fields-${name}-${colorScheme}-${width}`, { fullPage: name === "form" });
        }
      }
    };
    await look("form");
    const small = await page.locator(".write summary, .write button:visible, .write select:visible").evaluateAll((all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.9).map((one) => one.outerHTML.slice(0, 80)));
    assert.deepEqual(small, []);
    await page.getByRole("button", { name: "Edit the file" }).click();
    await beginLine(page, "[podcast]");
    await page.keyboard.type("s");
    await page.locator("#keys").waitFor();
    await look("file");
    // A draft that cannot be read is not saved.
    expectConsole(page, /status of 400/, "any");
  },
};

run(steps, berlin, { workers: 2, always: [ofPreviews], options: { timezoneId: "Pacific/Auckland", locale: "en-GB" } }).finally(end);
