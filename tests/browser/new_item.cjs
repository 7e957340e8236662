// Begins episodes, posts and photos as their authors do, and counts the actions.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/new_item.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, expectConsole, fixtures, handled, run, shoot, silence, until } = require("./common.cjs");
const { end, given, ofPreviews, state } = require("./editor_site.cjs");

const sound = fs.readFileSync(path.join(__dirname, "../../crates/media-facts/tests/fixtures/cbr-bare.mp3"));
const cover = fs.readFileSync(path.join(fixtures, "small-site/content/items/episode/cover.png"));

// The frames of an ID3v2.3 tag.
const size = (number) => Buffer.from([number >> 24, number >> 16, number >> 8, number].map((byte) => byte & 255));
const frame = (id, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from(id), size(body.length), Buffer.from([0, 0]), body]);
};
const latin = (id, text) => frame(id, "\0", text);
const chapter = (id, start, title) => frame("CHAP", `${id}\0`, size(start), size(start + 500), Buffer.alloc(8, 255), latin("TIT2", title));
const tagged = (...frames) => {
  const body = Buffer.concat(frames);
  const length = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 127);
  return Buffer.concat([Buffer.from("ID3\u0003\0\0"), Buffer.from(length), body, sound]);
};
const recording = tagged(latin("TIT2", "Storm at the pier"), latin("TRCK", "41/50"), frame("APIC", "\0image/png\0", [3], "front\0", cover), chapter("a", 0, "Out"), chapter("b", 700, "Home"));

const episode = (name, title, date, number, people) =>
  `+++\nid = "${name}"\nslug = "${name}"\ntitle = "${title}"\ndate_published = ${date}T09:00:00Z\nattachment = "talk.wav"\n\n[podcast]\nseason = 2\nepisode = ${number}\npeople = [${people}]\n+++\nWaves.\n`;

const show = async () => {
  const made = await given();
  fs.rmSync(path.join(made.site, "content/items/walk.md"));
  fs.rmSync(path.join(made.site, "content/items/fog.md"));
  const people = ['{ name = "Ana Sol", img = "ana.png" }, { name = "Ben Ode", role = "host" }, { name = "Jun Mori", role = "guest" }', '{ name = "Ana Sol", img = "ana.png" }, { name = "Eve Lind", role = "guest", href = "https://eve.example/" }'];
  [["tide", "Low tide", "2026-03-01", 7], ["pier", "The pier", "2026-02-01", 6]].forEach(([name, title, date, number], at) => {
    made.write(`content/items/${name}/talk.wav`, silence(5));
    made.write(`content/items/${name}/ana.png`, cover);
    made.write(`content/items/${name}/index.md`, episode(name, title, date, number, people[at]));
  });
  return made;
};
const enter = async (page, link) => {
  await page.goto(link);
  await until(async () => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (await page.locator("tbody a", { hasText: "Low tide" }).count()) return true;
    await page.reload();
    return false;
  }, "the episodes are listed");
};
const file = (name, type, bytes) => ({ name, type, bytes: Buffer.from(bytes).toString("base64") });
const drop = async (page, selector, files) => {
  const data = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, type, bytes } of files) data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type, lastModified: 1 }));
    return data;
  }, files);
  for (const event of ["dragenter", "dragover", "drop"]) await page.dispatchEvent(selector, event, { dataTransfer: data });
};
// Counts what a person does.
const counter = () => {
  const done = [];
  return { done, act: async (name, deed) => (await deed(), done.push(name)) };
};
const visibility = (page, words) => page.locator(".visibility", { hasText: words }).waitFor();
const png = (number) => Buffer.concat([cover, Buffer.from([number])]);

const steps = {
  "an MP3 is a published episode after four actions": async ({ page, link, read, site }) => {
    await enter(page, link);
    const { done, act } = counter();
    const own = "content/items/final-mix-3/index.md";
    await act("drop the recording on Home", () => drop(page, "main", [file("final_mix-3.mp3", "audio/mpeg", recording)]));
    // The title is selected while the recording is uploaded.
    await page.locator("#field-title:focus").waitFor();
    assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)).then(Boolean), true);
    await act("type the title", () => page.keyboard.type("Storm warning"));
    await act("type the notes", () => page.locator("#body").fill("Wind from the north."));
    await visibility(page, "Draft: only you see it. Publish now: goes online with the next publishing.");
    await act("publish", () => page.getByRole("button", { name: "Publish now" }).click());
    await page.getByText("Published: goes online with the next publishing.").waitFor();
    await visibility(page, "Saved; goes online after the next publishing.");
    assert.equal(done.length, 4, done.join(", "));
    const text = read(own);
    // The title and the numbers are the author's and the show's; the rest comes from the recording.
    for (const line of [/^title = "Storm warning"$/m, /^slug = "storm-warning"$/m, /^attachment = "final-mix-3.mp3"$/m, /^image = "cover.png"$/m, /^season = 2$/m, /^episode = 8$/m, /startTime = 0\.7, title = "Home"/, /\nWind from the north\.\n?$/]) assert.match(text, line);
    assert.doesNotMatch(text, /status/);
    assert.deepEqual(fs.readFileSync(path.join(site, "content/items/final-mix-3/cover.png")), cover);
    await page.getByText("2 chapters and the cover come from the recording.").waitFor();
    // Nobody has seen it yet, so it can be taken back.
    await page.getByRole("button", { name: "Back to draft" }).click();
    await visibility(page, "Draft: only you see it.");
    await until(() => /^status = "unpublished"$/m.test(read(own)) && !/date_published|slug/.test(read(own)), "it is the draft that it was");
  },

  "a recording gives its title to an episode without one": async ({ page, link, read }) => {
    await enter(page, link);
    await page.locator("main").getByRole("link", { name: "New episode" }).click();
    await page.getByText("It will be season 2, episode 8.").waitFor();
    await drop(page, ".zone", [file("notes.txt", "text/plain", "x")]);
    await page.getByText("notes.txt is not a recording").waitFor();
    await drop(page, ".zone", [file("final_mix-3.mp3", "audio/mpeg", recording)]);
    await page.getByText("The title, 2 chapters and the cover come from the recording.").waitFor();
    const own = "content/items/final-mix-3/index.md";
    assert.equal(await page.locator("#field-title").inputValue(), "Storm at the pier");
    await until(() => /^title = "Storm at the pier"$/m.test(read(own)), "the title is saved");
    assert.match(read(own), /^episode = 8$/m);
    // Hosts of the last episode come together, and everybody else with one press.
    await page.getByRole("button", { name: "Add Ana Sol and Ben Ode, as in the last episode" }).click();
    await page.getByRole("button", { name: "Eve Lind guest" }).click();
    await until(() => /Eve Lind/.test(read(own)), "they are saved");
    assert.match(read(own), /img = "\/media\/items\/tide\/ana.png", name = "Ana Sol"/);
    assert.match(read(own), /href = "https:\/\/eve.example\/"/);
    assert.equal(await page.getByRole("button", { name: /^(Add )?(Ana|Ben|Eve)/ }).count(), 0);
    await page.getByRole("button", { name: "Jun Mori guest" }).waitFor();
    await accessible(page, "new episode", { iframes: false });
    await shoot(page, "new-episode", { fullPage: true });
  },

  "a file that is no recording says so, and the rest stays": async ({ page, link, read }) => {
    await enter(page, link);
    await drop(page, "main", [file("talk.mp3", "audio/mpeg", "This is a text. ".repeat(50))]);
    await page.getByText("talk.mp3 cannot be played: it is damaged or not a recording.").waitFor();
    assert.match(read("content/items/talk/index.md"), /title = "Talk"/);
    await page.goto(page.url().replace(/#.*/, "#/"));
    await page.getByRole("link", { name: "New episode" }).first().waitFor();
    await drop(page, "main", [file("notes.pdf", "application/pdf", "x")]);
    await page.getByText("notes.pdf is neither a recording nor a picture.").waitFor();
  },

  "an episode is published when its upload is complete, also after the session has expired": async ({ page, link, read, site, context, address }) => {
    await enter(page, link);
    let open;
    const held = new Promise((done) => (open = done));
    let refused = 0;
    await page.route("**/_edit/api/send/**", async (route) => {
      await held;
      if (refused < 1) {
        refused += 1;
        return route.fulfill({ status: 401, contentType: "application/json", body: '{"error":"you are not signed in"}' });
      }
      return route.continue();
    });
    await drop(page, "main", [file("talk.mp3", "audio/mpeg", recording)]);
    await page.locator("#field-title:focus").waitFor();
    await page.getByRole("button", { name: "Publish now" }).click();
    await page.getByText("It will be published when the upload is complete.").waitFor();
    open();
    await page.getByText("You are signed out, and nothing is lost").first().waitFor();
    assert.match(read("content/items/talk/index.md"), /unpublished/);
    // Somebody signs in again in another tab.
    const other = await context.newPage();
    await other.goto(`${address}/_edit/`);
    await other.evaluate(() => {
      const token = localStorage.getItem("feedwright-token");
      localStorage.removeItem("feedwright-token");
      localStorage.setItem("feedwright-token", token);
    });
    await visibility(page, "Saved; goes online after the next publishing.");
    const text = read("content/items/talk/index.md");
    assert.match(text, /attachment = "talk.mp3"/);
    assert.match(text, /title = "Storm at the pier"/);
    assert.match(text, /slug = "storm-at-the-pier"/);
    assert.doesNotMatch(text, /unpublished/);
    assert.ok(fs.existsSync(path.join(site, "content/items/talk/talk.mp3")));
    expectConsole(page, /status of 401/, 1);
  },

  "several photos are one post, in the chosen order": async ({ page, link, read }) => {
    await enter(page, link);
    await drop(page, "main", [file("pier.png", "image/png", png(1)), file("boats.png", "image/png", png(2)), file("gull.png", "image/png", png(3))]);
    const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
    await rows.nth(2).waitFor();
    const order = () => rows.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    await until(() => rows.first().locator("img").evaluate((picture) => picture.naturalWidth > 0), "the photo is shown before it is uploaded");
    await page.getByRole("button", { name: "Move up: gull.png" }).click();
    assert.deepEqual(await order(), ["pier.png", "gull.png", "boats.png"]);
    // The button that was pressed stays under the finger.
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Move up: gull.png");
    await page.setViewportSize({ width: 1000, height: 1400 });
    await rows.nth(2).locator("img").dragTo(rows.nth(0));
    assert.deepEqual(await order(), ["boats.png", "pier.png", "gull.png"]);
    await page.getByRole("button", { name: "Remove: pier.png" }).click();
    await rows.nth(0).getByLabel("Alternative text").fill("Two boats");
    await rows.nth(1).getByLabel("Caption").fill('The "old" gull');
    await rows.nth(1).getByLabel("Alternative text").fill("A gull [left]");
    await page.getByLabel("Title").fill("At sea");
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        await accessible(page, `photos ${colorScheme} ${width}`);
        await shoot(page, `new-photos-${colorScheme}-${width}`, { fullPage: true });
      }
    }
    // Leaving asks first.
    page.once("dialog", (dialog) => dialog.dismiss());
    await page.evaluate(() => (location.hash = "#/items"));
    await until(() => page.url().endsWith("#/new/photo"), "the view stays");
    await page.getByRole("button", { name: "Start the draft" }).click();
    await page.locator("#body").waitFor();
    const own = "content/items/at-sea/index.md";
    await until(() => read(own).includes("gull.png"), "all are saved");
    assert.match(read(own), /\nattachment = "boats.png"\n\n\[image\]\nalt = "Two boats"\nurl = "boats.png"/);
    assert.ok(read(own).endsWith('![A gull \\[left\\]](gull.png "The \\"old\\" gull")\n'), read(own));
  },

  "several photos are a post each, published together": async ({ page, link, read, address }) => {
    await enter(page, link);
    await page.evaluate(() => (location.hash = "#/new/photo"));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose photos" }).click()]);
    await chooser.setFiles([["pier at night.png", 1], ["boats.png", 2]].map(([name, number]) => ({ name, mimeType: "image/png", buffer: png(number) })));
    await page.getByLabel("One post for each photo").check();
    assert.equal(await page.getByLabel("Title").isVisible(), false);
    const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
    await rows.nth(1).getByLabel("Caption").fill("Two boats");
    await rows.nth(1).getByLabel("Alternative text").fill("Red and blue");
    // The connection fails at the second photo. The next press continues there.
    let failed = 0;
    await page.route("**/_edit/api/save", (route) => (route.request().postData().includes("Two boats") && failed++ === 0 ? route.fulfill({ status: 500, contentType: "application/json", body: '{"error":"the disk is full"}' }) : route.continue()));
    await page.getByRole("button", { name: "Start 2 drafts" }).click();
    await page.getByText("boats.png: The disk is full.").waitFor();
    await page.getByRole("button", { name: "Start 2 drafts" }).click();
    await page.getByRole("heading", { name: "2 drafts of photos" }).waitFor();
    const files = ["content/items/pier-at-night/index.md", "content/items/two-boats/index.md"];
    for (const name of files) assert.match(read(name), /unpublished/);
    assert.match(read(files[1]), /title = "Two boats"\n[^]*attachment = "boats.png"\n\n\[image\]\nalt = "Red and blue"\nurl = "boats.png"/);
    await accessible(page, "drafts");
    await page.getByRole("button", { name: "Publish all" }).click();
    await page.getByText("2 photos are published here.").waitFor();
    for (const name of files) assert.doesNotMatch(read(name), /unpublished/);
    await page.getByRole("button", { name: "Back to drafts" }).click();
    await until(() => files.every((name) => /unpublished/.test(read(name)) && !/date_published/.test(read(name))), "they are drafts again");
    assert.equal(await page.getByRole("link", { name: "Two boats" }).count(), 1);
    assert.ok(address);
    expectConsole(page, /status of 500/, 1);
  },

  "one photo is a published photo after four actions": async ({ page, link, read }) => {
    await enter(page, link);
    const { done, act } = counter();
    await act("drop the photo", () => drop(page, "main", [file("pier at night.png", "image/png", cover)]));
    await page.locator("#field-title:focus").waitFor();
    await act("type the caption", () => page.keyboard.type("Night"));
    await page.getByLabel("Alternative text").first().waitFor();
    await act("describe it", () => page.getByLabel("Alternative text").first().fill("A pier with lamps"));
    await act("publish", () => page.getByRole("button", { name: "Publish now" }).click());
    await visibility(page, "Saved; goes online after the next publishing.");
    assert.equal(done.length, 4, done.join(", "));
    assert.match(read("content/items/pier-at-night/index.md"), /title = "Night"\n[^]*attachment = "pier-at-night.png"\n/);
    assert.match(read("content/items/pier-at-night/index.md"), /alt = "A pier with lamps"/);
  },

  "a post is published after four actions": async ({ page, link, read }) => {
    await enter(page, link);
    await page.evaluate(() => (location.hash = "#/new/post"));
    await page.getByRole("heading", { name: "New post" }).waitFor();
    await page.keyboard.type("…");
    await page.keyboard.press("Enter");
    await page.getByText("Title: must contain a letter or digit.").waitFor();
    expectConsole(page, /status of 400/, 1);
    await page.getByLabel("Title").fill("");
    const { done, act } = counter();
    await act("type the title", () => page.keyboard.type("Harbour news"));
    await act("start", () => page.keyboard.press("Enter"));
    await page.locator("#body").waitFor();
    await act("write", () => page.locator("#body").fill("The harbour is full."));
    await act("publish", () => page.getByRole("button", { name: "Publish now" }).click());
    await visibility(page, "Saved; goes online after the next publishing.");
    assert.equal(done.length, 4);
    assert.match(read("content/items/harbour-news.md"), /The harbour is full\./);
    await state(page, "Saved");
  },

  "lists load small pictures": async ({ page, link, write }) => {
    await enter(page, link);
    const large = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 2400, height: 1600 });
      canvas.getContext("2d").fillRect(0, 0, 1200, 1600);
      return [...new Uint8Array(await (await new Promise((done) => canvas.toBlob(done, "image/jpeg", 1))).arrayBuffer())];
    });
    write("content/items/tide/cover.jpg", Buffer.from(large));
    write("content/items/tide/index.md", episode("tide", "Low tide", "2026-03-01", 7, "").replace("attachment", 'image = "cover.jpg"\nattachment'));
    const row = page.locator("tbody tr", { hasText: "Low tide" });
    await until(async () => {
      await page.reload();
      await row.first().waitFor();
      return row.first().locator("img").count();
    }, "the cover is listed");
    await until(() => row.first().locator("img").evaluate((picture) => picture.complete && picture.naturalWidth === 240), "the picture is small");
    await handled(page);
  },
};

run(steps, show, { workers: 2, always: [ofPreviews] }).finally(end);
