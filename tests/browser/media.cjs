// Gives the editor recordings, pictures and transcripts: what is dropped lies beside its text, is named in it, is seen and heard.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/media.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { GONE, accessible, expectConsole, fixtures, run, shoot, silence, until } = require("./common.cjs");
const { end, given, ofPreviews } = require("./editor_site.cjs");

const episode = '+++\nid = "pier"\nslug = "pier"\ntitle = "The pier"\nstatus = "unpublished" # for now\n+++\nWaves.\n';
const cover = fs.readFileSync(path.join(fixtures, "small-site/content/items/episode/cover.png"));
const transcript = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ada>The ferry is late.\n";
const file = "content/items/pier/index.md";

// An episode in a folder of its own.
const site = async () => {
  const made = await given();
  made.write(file, episode);
  return made;
};
const opened = async (page, link) => {
  await until(async () => {
    await page.goto(link.replace(/#.*/, link.includes("#code") && !page.signedIn ? link.slice(link.indexOf("#")) : "#/items"));
    page.signedIn = true;
    await page.locator("tbody tr").first().waitFor();
    return page.locator("tbody a", { hasText: "The pier" }).count();
  }, "the episode is listed");
  await page.locator("tbody a", { hasText: "The pier" }).click();
  await page.locator("#body").waitFor();
};
// Drops files as a hand does.
const drop = async (page, selector, files) => {
  const data = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, type, bytes } of files) data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type, lastModified: 1 }));
    return data;
  }, files.map(({ bytes, ...file }) => ({ ...file, bytes: Buffer.from(bytes).toString("base64") })));
  for (const event of ["dragenter", "dragover", "drop"]) await page.dispatchEvent(selector, event, { dataTransfer: data });
};

const steps = {
  "a recording, a cover and a transcript that are dropped are an episode": async ({ page, link, read, site }) => {
    await opened(page, link);
    await drop(page, "form.fields", [
      { name: "The Pier (final).WAV", type: "audio/wav", bytes: silence(20) },
      { name: "cover.png", type: "image/png", bytes: cover },
      { name: "said.vtt", type: "text/vtt", bytes: transcript },
    ]);
    const wanted = episode.replace("+++\nWaves", 'attachment = "the-pier-final.wav"\nimage = "cover.png"\n\n[podcast]\ntranscripts = ["said.vtt"]\n+++\nWaves');
    await until(() => read(file) === wanted, "the draft names them");
    assert.deepEqual(fs.readFileSync(path.join(site, "content/items/pier/the-pier-final.wav")), silence(20));
    await page.getByRole("slider", { name: "Position" }).waitFor();
    await until(() => page.locator(".thumbnail").first().evaluate((image) => image.naturalWidth > 0), "the cover is seen");
    assert.equal(Math.round(await page.locator(".medium audio").first().evaluate((audio) => new Promise((done) => (audio.duration ? done(audio.duration) : audio.addEventListener("loadedmetadata", () => done(audio.duration)))))), 20);
    await shoot(page, "editor-media", { fullPage: true });
    assert.deepEqual(fs.readdirSync(path.join(site, ".feedwright/uploads")), []);
  },

  "what is dropped on the text is named there": async ({ page, link, read }) => {
    await opened(page, link);
    await page.locator("#body").click();
    await page.keyboard.press("Control+End");
    await drop(page, "#body", [{ name: "Map [old].png", type: "image/png", bytes: cover }, { name: "notes.pdf", type: "application/pdf", bytes: "%PDF-1.4" }]);
    await page.getByRole("dialog", { name: "Describe the image" }).waitFor();
    await page.keyboard.type("A map of the pier");
    await page.keyboard.press("Enter");
    await until(() => read(file).endsWith("Waves.\n![A map of the pier](map-old.png)[notes](notes.pdf)\n"), "the text names them");
  },

  "a large file goes on where it stopped": async ({ page, link, site, start, stop, address, read }) => {
    await opened(page, link);
    const large = silence(6000);
    await page.evaluate(() => (window.pieces = []));
    let pieces = 0;
    await page.route("**/_edit/api/send/**", async (route) => {
      pieces += 1;
      if (pieces === 2) {
        await stop();
        await route.abort();
        await start(new URL(address).host);
      } else await route.continue();
    });
    await page.locator("input[type=file][multiple]:not([accept])").setInputFiles({ name: "long.wav", mimeType: "audio/wav", buffer: large });
    await until(() => fs.existsSync(path.join(site, "content/items/pier/long.wav")), "the file is there");
    assert.deepEqual(fs.readFileSync(path.join(site, "content/items/pier/long.wav")), large);
    assert.equal(pieces, 4, "three pieces, one of them twice");
    await until(() => /attachment = "long.wav"/.test(read(file)), "it is named");
    expectConsole(page, /ERR_FAILED/);
    expectConsole(page, GONE, "any");
  },

  "a file that is refused says why, and the others come": async ({ page, link, read }) => {
    await opened(page, link);
    await drop(page, "form.fields", [{ name: "page.html", type: "text/html", bytes: "<script>1</script>" }, { name: "cover.png", type: "image/png", bytes: cover }]);
    await page.getByText("Not uploaded: name: .html files cannot be uploaded as media").waitFor();
    await until(() => /image = "cover.png"/.test(read(file)), "the cover is named");
    await page.getByRole("button", { name: "Close" }).click();
    expectConsole(page, /status of 400/, 1);
  },

  "people are picked by name, with roles of the published list": async ({ page, link, read, write }) => {
    write("content/items/other.md", '+++\nid = "other"\ntitle = "Other"\ndate_published = 2026-01-01\n[podcast]\npeople = [{ name = "Jun Mori", role = "guest", href = "https://mori.example/" }]\n+++\nText.\n');
    await opened(page, link);
    await page.locator("summary", { hasText: "Podcast details" }).click();
    await page.locator("summary", { hasText: /^People/ }).click();
    await page.getByRole("button", { name: "Add a person" }).click();
    await page.keyboard.type("Jun Mori");
    await page.keyboard.press("Tab");
    await until(() => ["Jun Mori", "guest", "https://mori.example/"].every((known) => read(file).includes(known)), "who is known comes with role and address");
    await page.getByRole("button", { name: "Add a person" }).click();
    await page.keyboard.type("Ada Lind");
    await page.keyboard.press("Tab");
    await until(() => /Ada Lind/.test(read(file)), "another one is added");
    assert.ok((await page.locator("#choices-roles option").count()) > 50);
    assert.ok((await page.locator("#choices-licenses option").count()) >= 10);
    await page.getByRole("button", { name: "Remove Jun Mori" }).click();
    await until(() => !/Jun Mori/.test(read(file)), "one is taken away");
    await accessible(page, "people", { iframes: false });
  },

  "a cover is cut to a square": async ({ page, link, site, read }) => {
    await opened(page, link);
    const wide = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 2400, height: 1600 });
      const context = canvas.getContext("2d");
      context.fillStyle = "#c00";
      context.fillRect(0, 0, 1200, 1600);
      const bytes = await (await new Promise((done) => canvas.toBlob(done, "image/jpeg"))).arrayBuffer();
      return [...new Uint8Array(bytes)];
    });
    await drop(page, "form.fields", [{ name: "harbour.jpg", type: "image/jpeg", bytes: Buffer.from(wide) }]);
    await page.getByRole("button", { name: "Crop to a square" }).click();
    await page.getByText("1600 × 1600 pixels").waitFor();
    await page.getByLabel("Horizontal position").fill("0");
    await accessible(page, "cover", { iframes: false });
    await shoot(page, "editor-cover");
    await page.getByRole("button", { name: "Crop", exact: true }).click();
    await until(() => /image = "harbour-square.jpg"/.test(read(file)), "the cover is the square");
    const size = await page.locator(".thumbnail").first().evaluate((image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]));
    assert.deepEqual(size, [1600, 1600]);
    assert.ok(fs.existsSync(path.join(site, "content/items/pier/harbour.jpg")), "the first one stays");
  },
};

run(steps, site, { workers: 2, always: [ofPreviews] }).finally(end);
