// Writes lists, quotes and marks in the editor with the keyboard, in Chromium and in Firefox: what is typed after the end of a
// list is a paragraph of its own, at the end of a text and in its middle, and the browser's own undo takes each edit back.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/writing.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { firefox, run, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, open, state, walk } = require("./editor_site.cjs");

const [front] = walk.split(/(?<=^\+\+\+\n)(?!id)/m);
const picture = fs.readFileSync(path.join(__dirname, "../../crates/media-facts/tests/fixtures/picture.png")).toString("base64");

// Keys one after the other: names such as Enter and Control+z, or a text.
const press = async (page, keys) => {
  for (const key of keys) await (/^(Enter|Backspace|Control\+\w)$/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key));
};
const body = (page) => page.locator("#body").inputValue();

// Makes this the text, with the caret at `|`.
const at = async ({ page, link }, text) => {
  if (!(await page.locator("#body").count())) await open(page, link, "A walk");
  await page.locator("#body").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.locator("#body").evaluate((area, text) => {
    const place = text.indexOf("|");
    if (text.length > 1) document.execCommand("insertText", false, text.replace("|", ""));
    area.setSelectionRange(place, place);
  }, text);
};

// Drops a picture on the text, and waits until the text names it.
const drop = async (page) => {
  const data = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    const given = new DataTransfer();
    given.items.add(new File([bytes], "pier.png", { type: "image/png" }));
    return given;
  }, picture);
  await page.locator("#body").dispatchEvent("drop", { dataTransfer: data });
  await until(async () => (await body(page)).includes("pier.png"), "the picture is named");
};

const lists = {
  "a list": ["- one", "- two"],
  "a numbered list": ["1. one", "2. two"],
  "a list of tasks": ["- [ ] one", "- [ ] two"],
  "a quote": ["> one", "> two"],
  "a list in a list": ["- zero", "  * one", "  * two"],
};
// Where it is written: the text with the caret, and what stands before and after it.
const places = {
  "at the end": ["|", "", ""],
  "after a text": ["Before.\n\n|", "Before.\n\n", ""],
  "in the middle": ["Before.\n\n|\n\nAfter.\n", "Before.\n\n", "\n\nAfter.\n"],
  "before a line": ["Before.\n\n|\nAfter.\n", "Before.\n\n", "\nAfter.\n"],
};

const steps = {};
for (const [name, lines] of Object.entries(lists)) {
  steps[`what follows ${name} is a paragraph of its own`] = async (site) => {
    const { page } = site;
    const typed = lines.flatMap((line, at) => {
      if (at === 0) return [line];
      // The mark of a line is there already, unless it is another one.
      const isAnother = name === "a list in a list" && at === 1;
      return ["Enter", ...(isAnother ? ["Backspace", "Backspace", line] : [line.replace(/^\s*(- \[ \]|[-*>]|\d+\.) /, "")])];
    });
    for (const [place, [text, before, after]] of Object.entries(places)) {
      await at(site, text);
      await press(page, [...typed, "Enter", "Enter", "next"]);
      assert.equal(await body(page), `${before}${lines.join("\n")}\n\nnext${after}`, place);
      // Undo leads back to what stood there before.
      await at(site, text);
      await press(page, [...typed, "Enter"]);
      const unended = await body(page);
      await press(page, ["Enter"]);
      const ended = await body(page);
      assert.notEqual(ended, unended, place);
      await press(page, ["Control+z"]);
      const undone = await body(page);
      const inner = undone.slice(before.length, undone.length - after.length);
      assert.notEqual(undone, ended, `${place}: undo`);
      assert.equal(undone, `${before}${inner}${after}`, `${place}: undo`);
      assert.ok(unended.startsWith(before + inner), `${place}: undo leaves ${JSON.stringify(undone)}`);
    }
  };
}

steps["a picture that is dropped after a list is no part of it"] = async (site) => {
  const { page, read } = site;
  for (const [place, [text, before, after]] of Object.entries(places)) {
    await at(site, text);
    await press(page, ["- one", "Enter", "two", "Enter", "Enter"]);
    await drop(page);
    const value = await body(page);
    const name = /pier[\w-]*\.png/.exec(value)[0];
    assert.equal(value, `${before}- one\n- two\n\n![](/media/${name})${after}`, place);
    await press(page, ["Control+z"]);
    assert.ok(!(await body(page)).includes("pier"), `${place}: undo`);
    await press(page, ["Control+s"]);
    await state(page, "Saved");
    assert.ok(read("content/items/walk.md").startsWith(`${front}${before}- one\n- two\n`), place);
  }
  await shoot(page, "editor-after-a-list");
};

steps["an edit through the editor is the same as one by hand, wherever the selection is"] = async (site) => {
  const { page } = site;
  // A whole last line, a line in the middle, and all of it, in the place of nothing and of something.
  const text = "one\ntwo\nthree";
  for (const [from, to] of [[8, 13], [7, 13], [4, 8], [4, 7], [0, 13], [0, 4], [13, 13]]) {
    for (const put of ["", "x", "\n", "x\n"]) {
      await at(site, `${text}|`);
      await page.locator("#body").evaluate((area, [from, to]) => area.setSelectionRange(from, to), [from, to]);
      await page.evaluate(async ([put]) => {
        const { type } = await import("/_edit/writing.js");
        type(document.querySelector("#body"), put);
      }, [put]);
      await press(page, ["!"]);
      const wanted = `${text.slice(0, from)}${put}!${text.slice(to)}`;
      assert.equal((await body(page)).trimEnd(), wanted.trimEnd(), `${from}–${to} by ${JSON.stringify(put)}`);
    }
  }
};

(async () => {
  for (const engine of ["chromium", "firefox"]) {
    // In CI it has to be there.
    if (engine === "firefox" && !fs.existsSync(firefox) && !process.env.CI) {
      console.log(`not run in Firefox: there is no ${firefox}`);
      continue;
    }
    console.log(`${engine}:`);
    await run(steps, given, { workers: 2, engine, always: [ofPreviews] });
  }
})().finally(end);
