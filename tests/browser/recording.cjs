// Works on the recording of an episode: its waveform, chapters, transcript, and files from other programs.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/recording.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, expectConsole, fixtures, run, shoot, silence, until } = require("./common.cjs");
const { end, given, ofPreviews, state } = require("./editor_site.cjs");

const folder = "content/items/pier";
const item = `${folder}/index.md`;
const chapters = '[podcast]\nchapters = [\n  { startTime = 0, title = "Out" },\n  { startTime = 20, title = "Ferry" }, # late\n  { startTime = 40, title = "Home" },\n]\n';
const episode = (more = "", recording = "talk.wav") => `+++\nid = "pier"\nslug = "pier"\ntitle = "The pier"\nstatus = "unpublished" # for now\nattachment = "${recording}"\n${more}+++\nWaves.\n`;
const transcript = "WEBVTT\n\nNOTE by hand\n\n00:00:01.000 --> 00:00:04.000 line:0\n<v Ada>The ferry is late.\n\n00:00:05.000 --> 00:00:08.000\n<v Jun>As always &amp; again.\nSo it is.\n\n00:00:09.000 --> 00:00:12.000\n<v Ada>Home, <i>then</i>.\n";

// A minute of sound whose second half is silent.
const talk = () => {
  const sound = silence(60);
  for (let at = 44; at < 44 + (sound.length - 44) / 2; at += 1) sound[at] = 128 + Math.round(100 * Math.sin(at / 3));
  return sound;
};

// The site is in a git repository, so that a test sees what a commit would change.
const site = async () => {
  const made = await given();
  fs.mkdirSync(path.join(made.site, folder), { recursive: true });
  made.put = (name, bytes) => fs.writeFileSync(path.join(made.site, folder, name), bytes);
  const git = (...rest) => spawnSync("git", ["-C", made.site, "-c", "user.name=a", "-c", "user.email=a@b.example", ...rest], { encoding: "utf8" }).stdout;
  made.commit = () => {
    git("init", "-q");
    git("add", "content");
    git("commit", "-qm", "start");
  };
  made.diff = () => git("diff", "-U0").split("\n").filter((line) => /^[+-](?![+-])/.test(line));
  return made;
};

// Signs in, and opens a file.
const show = async (page, { link, address, commit }, file) => {
  commit();
  await page.goto(link);
  await page.locator("nav:not([hidden])").waitFor({ state: "attached" });
  await page.goto(`${address}/_edit/#/open/${file}`);
  await page.locator(".recording").waitFor();
  await until(() => page.locator(".recording").evaluate((view) => !/drawn/.test(view.textContent) && / \/ (?!0:00)/.test(view.textContent)), "the recording is measured");
};
const drag = async (page, mark, by) => {
  const box = await mark.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + 12];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by / 2, y);
  await page.mouse.move(x + by, y);
  await page.mouse.up();
};
const time = (page) => page.locator(".recording audio").evaluate((audio) => audio.currentTime);
const seek = async (page, seconds) => {
  await page.locator(".recording audio").evaluate((audio, seconds) => (audio.currentTime = seconds), seconds);
  await until(async () => (await time(page)) === seconds, "the play head is there");
};
const mark = (page, name) => page.getByRole("slider", { name: `Start of ${name}` });
// Returns how much of the loud and of the silent part of the waveform is drawn: the share of pixels with colour.
const drawn = (page) => page.locator(".wave canvas").evaluate((canvas) => {
  const [width, height] = [canvas.width, Math.round(canvas.height * 0.7)];
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const share = (from, to) => {
    let count = 0;
    for (let y = 0; y < height; y += 1) for (let x = Math.round(from * width); x < Math.round(to * width); x += 1) count += data[4 * (y * width + x) + 3] > 0;
    return count / height / width / (to - from);
  };
  return [share(0.1, 0.4), share(0.6, 0.9)];
});

const steps = {
  "a mark is moved by the mouse, and only its time changes in the file": async ({ page, put, write, read, diff, ...site }) => {
    put("talk.wav", talk());
    write(item, episode(chapters));
    await show(page, site, item);
    const [loud, silent] = await drawn(page);
    assert.ok(loud > 0.3 && silent < 0.1, `${loud} ${silent}`);
    const width = (await page.locator(".track").boundingBox()).width;
    await drag(page, mark(page, "Ferry"), (5 / 60) * width);
    await until(() => diff().length === 2, "the file is saved");
    const [gone, come] = diff();
    assert.equal(gone, '-  { startTime = 20, title = "Ferry" }, # late');
    const moved = Number(/^\+ {2}\{ startTime = ([\d.]+), title = "Ferry" \}, # late$/.exec(come)[1]);
    assert.ok(Math.abs(moved - 25) < 0.3, come);
    await accessible(page, "recording", { iframes: false });
    await shoot(page, "editor-recording");
    await drag(page, mark(page, "Ferry"), width);
    await until(() => /startTime = 40, title = "Ferry"/.test(read(item)), "a mark stays before the next one");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => diff()[1] === come, "one step is undone");
    await mark(page, "Ferry").press("Control+z");
    await until(() => diff().length === 0, "all is undone");
    assert.equal(await page.getByRole("button", { name: "Undo" }).isVisible(), false);
  },

  "a mark is moved by keys, and removed": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    write(item, episode(chapters));
    await show(page, site, item);
    await mark(page, "Ferry").focus();
    for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowLeft", "PageUp"]) await page.keyboard.press(key);
    await until(() => /startTime = 31.9, title = "Ferry" }, # late/.test(read(item)), "it is later by 2 - 0.1 + 10 seconds");
    assert.equal(await mark(page, "Ferry").getAttribute("aria-valuetext"), "0:31.9");
    assert.equal(await mark(page, "Ferry").evaluate((own) => own === document.activeElement), true);
    await page.keyboard.press("Delete");
    await until(() => !/Ferry/.test(read(item)), "it is removed");
    assert.equal(await mark(page, "Home").evaluate((own) => own === document.activeElement), true, "the next mark has the focus");
    await page.keyboard.press("Control+z");
    await until(() => /startTime = 31.9, title = "Ferry"/.test(read(item)), "it is back");
  },

  "keys play, go back and add a chapter": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    write(item, episode());
    await show(page, site, item);
    for (const [seconds, title] of [[30, "Home"], [0, "Out"]]) {
      await seek(page, seconds);
      await page.getByRole("slider", { name: "Position" }).press("Control+Enter");
      await page.locator("input[id$=title]:focus").waitFor();
      await page.keyboard.type(title);
      await page.keyboard.press("Control+Space");
      await until(async () => (await time(page)) > seconds, "it plays while a title is written");
      await page.keyboard.press("Control+Space");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      await page.keyboard.press("Tab");
      await until(() => read(item).includes(title), `${title} is saved`);
    }
    assert.match(read(item), /startTime = 0, title = "Out" \},\n  \{ startTime = 30, title = "Home"/);
    await page.getByRole("button", { name: "Play Home" }).click();
    await until(async () => (await time(page)) >= 30, "a chapter plays");
    await page.locator(".timed .is-playing", { has: page.getByRole("button", { name: "Play Home" }) }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator("#field-podcast-chapters-1-title").press("Control+,");
    await until(async () => (await time(page)) < 27, "it goes back");
    await page.locator("#field-podcast-chapters-1-startTime").fill("0:45.5");
    await page.keyboard.press("Tab");
    await until(() => /startTime = 45.5, title = "Home"/.test(read(item)), "a time is written as people write it");
    await page.locator("#field-podcast-chapters-1-startTime").fill("later");
    await page.keyboard.press("Tab");
    await page.getByText("Write a time such as 1:30 or 1:02:03.5.").waitFor();
    assert.match(read(item), /startTime = 45.5/);
  },

  "a mark is placed within a tenth of a second in two hours": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", silence(7200));
    write(item, episode('[podcast]\nchapters = [{ startTime = 3600, title = "Half" }]\n'));
    await show(page, site, item);
    await seek(page, 3600);
    await page.getByRole("slider", { name: "Zoom" }).press("End");
    await until(async () => (await page.locator(".track").boundingBox()).width === 7200 * 50, "a second has 50 pixels");
    await drag(page, mark(page, "Half"), 15);
    await until(() => /startTime = 3600.3, title/.test(read(item)), "it moves by 0.3 seconds");
    const box = await page.locator(".pane").boundingBox();
    await page.mouse.click(box.x + box.width / 2 + 100, box.y + 60);
    await until(async () => Math.abs((await time(page)) - 3602) < 1, "a click moves the play head");
  },

  "a mark is moved by a finger on a phone": async ({ browser, put, write, read, commit, link, address }) => {
    put("talk.wav", talk());
    write(item, episode(chapters));
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await show(page, { link, address, commit }, item);
    await mark(page, "Ferry").scrollIntoViewIfNeeded();
    const box = await mark(page, "Ferry").boundingBox();
    assert.ok(box.width >= 44 && box.height >= 44, JSON.stringify(box));
    const width = (await page.locator(".track").boundingBox()).width;
    const client = await context.newCDPSession(page);
    const touch = (type, x) => client.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: box.y + 20 }] });
    const from = box.x + box.width / 2;
    await touch("touchStart", from);
    for (const part of [0.3, 0.6, 1]) await touch("touchMove", from + (part * width) / 12);
    await touch("touchEnd");
    await until(() => /startTime = 2[45]\.?\d*, title = "Ferry"/.test(read(item)), "it is moved");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await accessible(page, "recording on a phone", { iframes: false });
    await context.close();
  },

  "a change is not undone after the text was changed elsewhere": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    const file = `${folder}/chapters.txt`;
    write(file, "0:00 Out\n0:20 Ferry\n0:40 Home\n");
    write(item, episode('[podcast]\nchapters = "chapters.txt"\n'));
    await show(page, site, `${file}//${item}`);
    await mark(page, "Ferry").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    const theirs = "0:00 Out\n0:21 Ferry\n0:40 Home\n0:50 Rain\n";
    write(file, theirs);
    await until(async () => (await page.locator("#body").inputValue()) === theirs, "the new text is shown");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The text was changed since, so this cannot be undone.").waitFor();
    assert.equal(await page.locator("#body").inputValue(), theirs);
  },

  "a title with an invalid escape is shown as it is written": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/chapters.json`, '{"version": "1.2.0", "chapters": [\n  {"startTime": 0, "title": "C:\\dir"}\n]}\n');
    write(item, episode('[podcast]\nchapters = "chapters.json"\n'));
    await show(page, site, `${folder}/chapters.json//${item}`);
    await page.locator(".moments", { hasText: "C:\\dir" }).waitFor();
  },

  "chapters in a file are moved, and its text has the same keys": async ({ page, put, write, read, diff, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/chapters.txt`, "# Of the pier\n0:00 Out\n0:20.5 - Ferry\n0:40 Home\n");
    write(item, episode('[podcast]\nchapters = "chapters.txt"\n'));
    await show(page, site, item);
    await page.getByRole("button", { name: "Play Ferry" }).first().click();
    assert.equal(await time(page), 20.5, "marks of a file are shown in the item");
    await page.getByRole("link", { name: "Edit the chapters" }).click();
    await mark(page, "Ferry").focus();
    await page.keyboard.press("ArrowRight");
    await until(() => page.locator("#body").evaluate((area) => area.value.includes("0:21.5 - Ferry")), "the text changes");
    await seek(page, 30);
    await page.locator("#body").press("Control+Enter");
    await page.keyboard.type("Gulls");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.deepEqual(diff(), ["-0:20.5 - Ferry", "+0:21.5 - Ferry", "+0:30 Gulls"]);
    await mark(page, "Gulls").press("Delete");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.deepEqual(diff(), ["-0:20.5 - Ferry", "+0:21.5 - Ferry"]);
    await accessible(page, "chapters");
  },

  "chapters as JSON are moved, added and removed": async ({ page, put, write, read, ...site }) => {
    const json = '{"version": "1.2.0", "chapters": [\n  {"startTime": 0, "title": "Out"},\n  {"location": {"name": "Pier", "geo": "geo:1,2"}, "startTime": 20, "title": "The \\"Ferry\\""}\n]}\n';
    put("talk.wav", talk());
    write(`${folder}/chapters.json`, json);
    write(item, episode('[podcast]\nchapters = "chapters.json"\n'));
    await show(page, site, `${folder}/chapters.json//${item}`);
    await mark(page, 'The "Ferry"').press("ArrowLeft");
    await seek(page, 50);
    await page.getByRole("button", { name: "Add chapter here" }).click();
    await page.keyboard.type("Home");
    await mark(page, "Out").press("Delete");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read(`${folder}/chapters.json`), json.replace('{"startTime": 0, "title": "Out"},\n  ', "").replace("20,", "19,").replace("}\n]", '},\n  {"startTime": 50, "title": "Home"}\n]'));
  },

  "a line of a transcript is corrected in place": async ({ page, put, write, read, diff, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/said.vtt`, transcript);
    write(item, episode('[podcast]\ntranscripts = ["said.vtt"]\n'));
    await show(page, site, item);
    await page.getByRole("link", { name: "Edit the transcript" }).click();
    const line = page.getByRole("textbox", { name: "What Jun says at 0:05" });
    assert.equal(await line.inputValue(), "As always & again.\nSo it is.");
    await page.getByRole("button", { name: "Play from 0:05" }).click();
    await until(async () => (await time(page)) >= 5, "its place is played");
    await page.locator(".cues > [aria-current]", { has: line }).waitFor();
    await line.fill("As always & <again>.\nSo it is, Ada. ");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.deepEqual(diff(), ["-<v Jun>As always &amp; again.", "-So it is.", "+<v Jun>As always &amp; &lt;again&gt;.", "+So it is, Ada."]);
    assert.equal(await line.inputValue(), "As always & <again>.\nSo it is, Ada. ", "the field keeps what is typed");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.keyboard.press("Control+s");
    await until(() => read(`${folder}/said.vtt`) === transcript, "it is undone");
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1280, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        await accessible(page, `transcript ${colorScheme} ${width}`);
        await shoot(page, `editor-transcript-${colorScheme}-${width}`);
      }
    }
  },

  "a machine-made transcript is reviewed from its item": async ({ page, put, write, read, diff, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/said.vtt`, transcript.replace("NOTE by hand\n", "NOTE ai-content\nwhisper made this transcript.\n"));
    write(item, episode('[podcast]\ntranscripts = ["said.vtt"]\n'));
    await show(page, site, item);
    await page.getByText("the transcript said.vtt is machine-made and unreviewed").waitFor();
    await accessible(page, "an item whose transcript needs a review", { iframes: false });
    await page.getByRole("link", { name: "Review the transcript" }).click();
    await page.getByRole("textbox", { name: "What Ada says at 0:01" }).fill("The ferry is early.");
    await accessible(page, "a transcript that needs a review");
    await page.getByRole("button", { name: "Mark as reviewed" }).click();
    await state(page, "Saved");
    assert.deepEqual(diff(), ["-NOTE ai-content", "-whisper made this transcript.", "-", "-<v Ada>The ferry is late.", "+<v Ada>The ferry is early."]);
    assert.equal(await page.getByRole("button", { name: "Mark as reviewed" }).count(), 0);
    assert.equal(await page.locator(".play").evaluate((own) => own === document.activeElement), true, "the player has the focus");
    await page.goBack();
    await page.locator("#field-title").waitFor();
    await page.locator(".recording").waitFor();
    assert.equal(await page.getByText("is machine-made and unreviewed").count(), 0);
  },

  "a review of a transcript that was changed elsewhere overwrites nothing": async ({ page, put, write, read, ...site }) => {
    const draft = transcript.replace("by hand", "ai-content");
    put("talk.wav", talk());
    write(`${folder}/said.vtt`, draft);
    write(item, episode('[podcast]\ntranscripts = ["said.vtt"]\n'));
    await show(page, site, `${folder}/said.vtt//${item}`);
    const theirs = draft.replace("late", "gone");
    await page.route("**/_edit/api/reviewed", async (route) => {
      write(`${folder}/said.vtt`, theirs);
      await route.continue();
    });
    expectConsole(page, /status of 409/, 1);
    await page.getByRole("button", { name: "Mark as reviewed" }).click();
    await page.getByRole("heading", { name: "The file was changed elsewhere" }).waitFor();
    assert.equal(read(`${folder}/said.vtt`), theirs);
  },

  "lines are split, merged, timed and removed": async ({ page, put, write, read, diff, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/said.vtt`, transcript);
    write(item, episode());
    await show(page, site, `${folder}/said.vtt//${item}`);
    const save = async (wanted) => {
      await page.keyboard.press("Control+s");
      await state(page, "Saved");
      assert.deepEqual(diff(), wanted);
    };
    const line = (name) => page.getByRole("textbox", { name });
    await seek(page, 2.5);
    await line("What Ada says at 0:01").evaluate((area) => (area.focus(), area.setSelectionRange(9, 9)));
    await page.keyboard.press("Control+Enter");
    await page.getByRole("textbox", { name: "What Ada says at 0:02" }).waitFor();
    await save(["-00:00:01.000 --> 00:00:04.000 line:0", "-<v Ada>The ferry is late.", "+00:00:01.000 --> 00:00:02.500 line:0", "+<v Ada>The ferry", "+", "+00:00:02.500 --> 00:00:04.000 line:0", "+<v Ada>is late."]);
    await line("What Ada says at 0:01").focus();
    await page.getByRole("button", { name: "Merge with next" }).click();
    await save([]);
    await line("What Jun says at 0:05").focus();
    await page.getByLabel("End", { exact: true }).fill("0:08.5");
    await page.getByLabel("Speaker", { exact: true }).fill("June");
    await page.keyboard.press("Tab");
    await save(["-00:00:05.000 --> 00:00:08.000", "-<v Jun>As always &amp; again.", "+00:00:05.000 --> 00:00:08.500", "+<v June>As always &amp; again."]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await line("What Ada says at 0:09").focus();
    await page.getByRole("button", { name: "Delete line" }).click();
    await save(["-", "-00:00:09.000 --> 00:00:12.000", "-<v Ada>Home, <i>then</i>."]);
    await seek(page, 30);
    await page.getByRole("button", { name: "Add line here" }).click();
    await line("What is said at 0:30").waitFor();
    await page.keyboard.type("Gulls.");
    await save(["-00:00:09.000 --> 00:00:12.000", "-<v Ada>Home, <i>then</i>.", "+00:00:30.000 --> 00:00:33.000", "+Gulls."]);
    await page.getByRole("button", { name: "Edit the file" }).click();
    await page.locator("#body").waitFor();
    assert.ok((await page.locator("#body").inputValue()).endsWith("Gulls.\n"));
    await page.getByRole("button", { name: "Back to the lines" }).click();
    await line("What is said at 0:30").waitFor();
  },

  "SRT stays SRT, with the numbers in order": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    write(`${folder}/said.srt`, "1\r\n00:00:01,000 --> 00:00:04,000\r\nAda: The ferry is late.\r\n\r\n2\r\n00:00:05,000 --> 00:00:08,000\r\nAs always.\r\n");
    write(item, episode());
    await show(page, site, `${folder}/said.srt//${item}`);
    await page.getByRole("textbox", { name: "What Ada says at 0:01" }).evaluate((area) => (area.focus(), area.setSelectionRange(10, 10)));
    await page.getByRole("button", { name: "Split at the cursor" }).click();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    const lines = ["1", "00:00:01,000 --> 00:00:02,667", "Ada: The ferry", "", "2", "00:00:02,667 --> 00:00:04,000", "Ada: is late.", "", "3", "00:00:05,000 --> 00:00:08,000", "As always.", ""];
    assert.deepEqual(read(`${folder}/said.srt`).split("\r\n"), lines);
  },

  "chapters and transcripts of other programs are imported": async ({ page, put, write, read, ...site }) => {
    put("talk.wav", talk());
    write(item, episode());
    await show(page, site, item);
    const give = (name, text) => page.getByLabel("Chapters or transcript").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await give("labels.txt", "0.000000\t0.000000\tOut\n20.500000\t20.500000\tFerry\n");
    await page.getByText("2 chapters were added from labels.txt.").waitFor();
    await until(() => /startTime = 20.5, title = "Ferry"/.test(read(item)), "the chapters are saved");
    await mark(page, "Ferry").waitFor();
    await give("whisper.json", JSON.stringify({ text: "Late. Always.", segments: [{ id: 0, start: 1, end: 2.5, text: " Late." }, { id: 1, start: 3, end: 4, text: " Always." }] }));
    await until(() => /transcripts = \["whisper.vtt"\]/.test(read(item)), "the transcript is named");
    assert.equal(read(`${folder}/whisper.vtt`), "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nLate.\n\n00:00:03.000 --> 00:00:04.000\nAlways.\n");
    const before = read(item);
    await give("table.json", '{"rows": [1, 2]}');
    await page.getByText("table.json contains no chapters and no transcript. Chapters can be").waitFor();
    expectConsole(page, /status of 400/, 1);
    const asked = page.waitForEvent("dialog");
    await give("chapters.txt", "0:00 Other\n");
    await (await asked).dismiss();
    assert.equal(read(item), before, "nothing is lost");
  },

  "the chapters of an MP3 are shown, and can be edited": async ({ page, put, write, read, ...site }) => {
    put("talk.mp3", fs.readFileSync(path.join(fixtures, "../../crates/media-facts/tests/fixtures/chapters.mp3")));
    write(item, episode("", "talk.mp3"));
    await show(page, site, item);
    await page.getByRole("button", { name: /^Play / }).first().waitFor();
    await page.getByRole("button", { name: "Edit the chapters of the file" }).click();
    await until(() => /chapters = \[\n? *\{ startTime = /.test(read(item)), "they are in the front matter");
    await page.locator(".mark[role=slider]").first().waitFor();
  },

  "a recording that cannot be decoded has a time line": async ({ page, put, write, ...site }) => {
    put("talk.weba", fs.readFileSync(path.join(fixtures, "../../crates/media-facts/tests/fixtures/silent.webm")));
    write(item, episode(chapters, "talk.weba"));
    await show(page, site, item);
    await page.getByText("There is no waveform: recordings in this format cannot be decoded.").waitFor();
    await page.locator(".track").click({ position: { x: 100, y: 60 } });
    await until(async () => (await time(page)) > 0, "a click moves the play head");
  },
};

run(steps, site, { workers: 2, always: [ofPreviews] }).finally(end);
