// Writes lists, quotes and marks in the editor with the keyboard, the toolbar and the menu of blocks, and pastes formatted
// text, in Chromium, in Firefox and, where Debian's driver for it is installed, in WebKit. The browser's undo takes each
// edit back.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/writing.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, handled, runInBoth, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, open, state, walk } = require("./editor_site.cjs");
const webkit = require("./webkit.cjs");

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
// Makes this the text. The part between « and » is selected, or the caret is at `|`.
const select = async (site, text) => {
  await at(site, `${text.replace(/[«»|]/g, "")}|`);
  await site.page.locator("#body").evaluate((area, [start, end]) => {
    area.setSelectionRange(start, end);
    // In Firefox, the next key would otherwise come before the report of the selection.
    document.dispatchEvent(new Event("selectionchange"));
  }, text.includes("|") ? [text.indexOf("|"), text.indexOf("|")] : [text.indexOf("«"), text.indexOf("»") - 1]);
};
// The text with the selection, as `select` takes it.
const shown = (page) => page.locator("#body").evaluate(({ value, selectionStart: start, selectionEnd: end }) =>
  start === end ? `${value.slice(0, start)}|${value.slice(start)}` : `${value.slice(0, start)}«${value.slice(start, end)}»${value.slice(end)}`);
// Pastes what programs put on the clipboard.
const paste = (page, data) => page.locator("#body").evaluate((area, data) => {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  // Firefox gives an event that a script makes an empty clipboard.
  Object.defineProperty(event, "clipboardData", { value: clipboardData });
  // A browser inserts the text if no handler does.
  if (area.dispatchEvent(event)) document.execCommand("insertText", false, data["text/plain"]);
}, data);

// Drops a picture on the text, describes it, and waits until the text names it.
const drop = async (page, description = "") => {
  const data = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    const given = new DataTransfer();
    given.items.add(new File([bytes], "pier.png", { type: "image/png" }));
    return given;
  }, picture);
  await page.locator("#body").dispatchEvent("drop", { dataTransfer: data });
  await page.getByRole("dialog", { name: "Describe the image" }).waitFor();
  await page.keyboard.type(description);
  await page.keyboard.press("Enter");
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

// Types as the editor does. A page has the editor's scripts in one file, so it cannot import this function.
const [, typed] = /^export (function type\([^]*?\n\})/m.exec(fs.readFileSync(path.join(__dirname, "../../src/api/editor/app/writing.js"), "utf8"));
const typeInBody = eval(`([put]) => { ${typed} type(document.querySelector("#body"), put); }`);
steps["an edit through the editor is the same as one by hand, wherever the selection is"] = async (site) => {
  const { page } = site;
  // A whole last line, a line in the middle, and all of it, in the place of nothing and of something.
  const text = "one\ntwo\nthree";
  for (const [from, to] of [[8, 13], [7, 13], [4, 8], [4, 7], [0, 13], [0, 4], [13, 13]]) {
    for (const put of ["", "x", "\n", "x\n"]) {
      await at(site, `${text}|`);
      await page.locator("#body").evaluate((area, [from, to]) => area.setSelectionRange(from, to), [from, to]);
      await page.evaluate(typeInBody, [put]);
      await press(page, ["!"]);
      const wanted = `${text.slice(0, from)}${put}!${text.slice(to)}`;
      assert.equal((await body(page)).trimEnd(), wanted.trimEnd(), `${from}–${to} by ${JSON.stringify(put)}`);
    }
  }
};

// The text before and after each command, by its key. A button does the same.
const edits = {
  Bold: ["Control+b", [
    ["The «ferry» came.", "The **«ferry»** came."],
    ["The **«ferry»** came.", "The «ferry» came."],
    ["The «**ferry**» came.", "The «ferry» came."],
    ["The __«ferry»__ came.", "The «ferry» came."],
    ["The fe|rry came.", "The **fe|rry** came."],
    ["**The fe|rry came.**", "The fe|rry came."],
    ["The **ferry|** came.", "The **ferry**| came."],
    ["The | came.", "The **|** came."],
    ["The **|** came.", "The | came."],
    ["«The ferry »came.", "**«The ferry»** came."],
    ["«The **ferry** came.»", "**«The ferry came.»**"],
    ["*«ferry»*", "***«ferry»***"],
    ["***«ferry»***", "*«ferry»*"],
    ["«- one\n- two\n\nthree»", "«- **one**\n- **two**\n\n**three**»"],
  ]],
  Italic: ["Control+i", [
    ["The «ferry» came.", "The *«ferry»* came."],
    ["The **«ferry»** came.", "The ***«ferry»*** came."],
    ["The _«ferry»_ came.", "The «ferry» came."],
    ["snake_«case»_name", "snake_*«case»*_name"],
    ["2 * «3» * 4", "2 * *«3»* * 4"],
  ]],
  Link: ["Control+k", [
    ["The «ferry» came.", "The [ferry](|) came."],
    ["The fe|rry came.", "The [ferry](|) came."],
    ["See «https://a.example/»", "See [|](https://a.example/)"],
    ["See [the fe|rry](https://a.example/).", "See [the ferry](«https://a.example/»)."],
  ]],
  Code: ["Control+e", [
    ["Run «feedwright».", "Run `«feedwright»`."],
    ["Run `«feedwright»`.", "Run «feedwright»."],
    ["Run «a`b».", "Run `` «a`b» ``."],
    ["Text.\n\n|", "Text.\n\n```\n|\n```"],
    ["«a\nb»", "«```\na\nb\n```»"],
    ["```sh\na|\n```\n\nText.", "a|\n\nText."],
  ]],
  Heading: ["Control+Shift+Digit2", [
    ["Text.\nWha|t\n\nMore.", "Text.\n\n## Wha|t\n\nMore."],
    ["## Wha|t", "### Wha|t"],
    ["### Wha|t", "Wha|t"],
    ["|", "## |"],
  ]],
  List: ["Control+Shift+Digit8", [
    ["o|ne", "- o|ne"],
    ["- o|ne", "o|ne"],
    ["Text.\n«one\ntwo»\nMore.", "Text.\n\n«- one\n- two»\n\nMore."],
    ["«1. one\n2. two»", "«- one\n- two»"],
    ["- one\n- tw|o\n- three", "- one\n\ntw|o\n\n- three"],
    ["|", "- |"],
    ["|\n\nText.", "- |\n\nText."],
  ]],
  "Numbered list": ["Control+Shift+Digit7", [
    ["«one\ntwo\nthree»", "«1. one\n2. two\n3. three»"],
    ["«1. one\n2. two»", "«one\ntwo»"],
    ["«- one\n- [ ] two»", "«1. one\n2. two»"],
  ]],
  Quote: ["Control+Shift+Digit9", [
    ["so|", "> so|"],
    ["> so|", "so|"],
    ["«one\n\ntwo»", "«> one\n>\n> two»"],
    ["«> one\n>\n> two»", "«one\n\ntwo»"],
  ]],
  Footnote: ["Control+Shift+Digit1", [
    ["Late| again.\n", "Late[^1] again.\n\n[^1]: |"],
    ["Late[^1] again|.\n\n[^1]: Ten minutes.\n", "Late[^1] again[^2].\n\n[^1]: Ten minutes.\n[^2]: |"],
  ]],
};
for (const [name, [key, cases]] of Object.entries(edits)) {
  steps[`${name}, by its key and its button, and off again`] = async (site) => {
    const { page } = site;
    for (const [before, after] of cases) {
      for (const act of [() => page.keyboard.press(key), () => page.getByRole("toolbar").getByRole("button", { name, exact: true }).click()]) {
        await select(site, before);
        await act();
        assert.equal(await shown(page), after, before);
        const plain = before.replace(/[«»|]/g, "");
        if ((await body(page)) === plain) continue;
        await page.keyboard.press("Control+z");
        assert.equal(await body(page), plain, `undo of ${before}`);
      }
    }
  };
}

steps["the toolbar shows what is on, and the arrow keys move in it"] = async (site) => {
  const { page } = site;
  await select(site, "The **fe|rry** came.\n");
  const bold = page.getByRole("button", { name: "Bold" });
  await until(async () => (await bold.getAttribute("aria-pressed")) === "true", "bold is on");
  assert.equal(await bold.getAttribute("aria-keyshortcuts"), "Control+B");
  assert.equal(await bold.getAttribute("title"), "Bold (Ctrl+B)");
  await page.keyboard.press("Home");
  await until(async () => (await bold.getAttribute("aria-pressed")) === "false", "bold is off");
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "Bold");
  for (const [key, name] of [["ArrowRight", "Italic"], ["End", "Focus"], ["ArrowRight", "Bold"], ["ArrowLeft", "Focus"], ["Home", "Bold"], ["ArrowRight", "Italic"]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), name, key);
  }
  await page.keyboard.press("Enter");
  await page.locator("#body:focus").waitFor();
  assert.equal(await page.locator("#body").getAttribute("spellcheck"), "true");
};

// What Enter makes of a text.
const returns = [
  ["> - one|", "> - one\n> - |"],
  ["> - one\n> - |", "> - one\n>\n> |"],
  ["> > deep|", "> > deep\n> > |"],
  ["9) nine|", "9) nine\n10) |"],
  ["- [x] done|", "- [x] done\n- [ ] |"],
  ["- on|e", "- on\n- |e"],
  ["```\n- one|\n```", "```\n- one\n|\n```"],
  ["-one|", "-one\n|"],
];
steps["Enter goes on with quotes in quotes and lists in quotes, and leaves code as it is"] = async (site) => {
  for (const [before, after] of returns) {
    await select(site, before);
    await site.page.keyboard.press("Enter");
    assert.equal(await shown(site.page), after, before);
  }
};

steps["an address that is pasted over a selection is its link"] = async (site) => {
  const { page } = site;
  await select(site, "The «ferry» came.");
  await paste(page, { "text/html": "<a href='https://a.example/a_(b)'>x</a>", "text/plain": "https://a.example/a_(b)" });
  assert.equal(await body(page), "The [ferry](<https://a.example/a_(b)>) came.");
  await page.keyboard.press("Control+z");
  assert.equal(await body(page), "The ferry came.");
};

// Steps before this line need nothing but a keyboard, the toolbar and the clipboard, and run in WebKit, too.
const ofWebkit = Object.fromEntries(Object.entries(steps).filter(([name]) => !/picture|toolbar shows/.test(name)));

const pasted = {
  "a page": [
    "<h1>Tides</h1><p>It was <b>very</b> <i>late</i>, <b><i>so</i></b>.<br>We <del>ran</del> walked.</p><h2>More</h2><p>See <a href='https://a.example/b (c)'>this</a>, <a href='javascript:alert(1)'>that</a> and <code>a_b</code>.</p><hr><p>5 * 3 &lt;b&gt; _x_ [1]</p>",
    "## Tides\n\nIt was **very** *late*, ***so***.\\\nWe ~~ran~~ walked.\n\n### More\n\nSee [this](https://a.example/b%20%28c%29), that and `a_b`.\n\n---\n\n5 * 3 \\<b> \\_x\\_ \\[1]",
  ],
  lists: [
    "<ul><li>one<ul><li>inner</li></ul></li><li><p>two</p></li></ul><ol start=3><li>three</li><li>four</li></ol><ul><li><input type=checkbox checked> done</li></ul>",
    "- one\n  - inner\n- two\n\n3. three\n4. four\n\n- [x] done",
  ],
  "a quote and code": [
    "<blockquote><p>one</p><p>two</p></blockquote><pre><code class='language-js'>const a = 1;\n  b`c`;\n</code></pre>",
    "> one\n>\n> two\n\n```js\nconst a = 1;\n  b`c`;\n```",
  ],
  "a table": [
    "<table><thead><tr><th>Day</th><th>Tide</th></tr></thead><tbody><tr><td>Mon</td><td>2|1</td></tr><tr><td colspan=2><b>none</b></td></tr></tbody></table>",
    "| Day | Tide |\n| --- | --- |\n| Mon | 2\\|1 |\n| **none** |  |",
  ],
  images: [
    "<p>a <img src='https://a.example/i.png' alt='A [boat]'> b <img src='data:image/png;base64,AAAA'> <a href='https://b.example/'><img src='https://a.example/j.png' alt=''></a></p>",
    "a ![A \\[boat\\]](https://a.example/i.png) b [![](https://a.example/j.png)](https://b.example/)",
  ],
  "text from Google Docs": [
    "<meta charset='utf-8'><b style='font-weight:normal;' id='docs-internal-guid-1'><p style='margin:0'><span style='font-weight:400'>Plain </span><span style='font-weight:700'>bold</span><span style='font-style:italic;font-weight:700'> both</span></p><ul><li><p><span style='font-weight:400'>one</span></p></li><ul><li><p>inner</p></li></ul></ul></b>",
    "Plain **bold *both***\n\n- one\n  - inner",
  ],
  "text from Word": [
    "<html><head><style>p { color: red }</style></head><body><!--StartFragment--><p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>   </span></span>one</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>two</p><p class=MsoNormal>An <b>end</b>.<o:p></o:p></p><!--EndFragment--></body></html>",
    "- one\n- two\n\nAn **end**.",
  ],
  "scripts and styles": [
    "<style>b{}</style><script>document.title = 1</script><p onclick='x()'><strong>Safe</strong><iframe src='https://x.example/'></iframe><img src=x onerror='document.title = 2'></p>",
    "**Safe**",
  ],
};
steps["formatted text is pasted as Markdown, and undone at once"] = async (site) => {
  const { page } = site;
  for (const [name, [html, markdown]] of Object.entries(pasted)) {
    await at(site, "Before.\n\n|\n\nAfter.");
    await paste(page, { "text/html": html, "text/plain": "plain" });
    assert.equal(await body(page), `Before.\n\n${markdown}\n\nAfter.`, name);
    await page.keyboard.press("Control+z");
    assert.equal(await body(page), "Before.\n\n\n\nAfter.", name);
  }
  // Blocks start a paragraph of their own, and words are part of the line.
  await at(site, "Before|after.");
  await paste(page, { "text/html": "<ul><li>one</li></ul>", "text/plain": "one" });
  assert.equal(await body(page), "Before\n\n- one\n\nafter.");
  await at(site, "Before | after.");
  await paste(page, { "text/html": "<a href='https://a.example/'>there</a>", "text/plain": "there" });
  assert.equal(await body(page), "Before [there](https://a.example/) after.");
  // Text without formatting, as code editors copy it, and text in code stay as they are.
  await at(site, "|");
  await paste(page, { "text/html": "<div style='font-family: monospace'><div><span>a  *b*</span></div></div>", "text/plain": "a  *b*" });
  assert.equal(await body(page), "a  *b*");
  await at(site, "```\n|\n```");
  await paste(page, { "text/html": "<b>x</b>", "text/plain": "x" });
  assert.equal(await body(page), "```\nx\n```");
  assert.equal(await page.title(), "Editor");
};

steps["an image asks what it shows, whether it is dropped, pasted or chosen"] = async (site) => {
  const { page } = site;
  await at(site, "Before.\n\n|");
  await drop(page, "Gulls on a [pier]");
  assert.match(await body(page), /^Before\.\n\n!\[Gulls on a \\\[pier\\\]\]\(\/media\/pier[\w-]*\.png\)$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "body");
  // A skipped question leaves the description empty.
  await at(site, "|");
  // Playwright sees no file chooser in Firefox.
  const isFirefox = /firefox/i.test(page.context().browser().browserType().name());
  const chooser = isFirefox ? page.locator(".writing input[type=file]") : page.waitForEvent("filechooser");
  await page.keyboard.press("Control+Shift+Digit6");
  const chosen = await chooser;
  await (chosen.setFiles ?? chosen.setInputFiles).call(chosen, { name: "boat.png", mimeType: "image/png", buffer: Buffer.from(picture, "base64") });
  const dialog = page.getByRole("dialog", { name: "Describe the image" });
  await dialog.waitFor();
  await accessible(page, "the question", { iframes: false });
  await shoot(page, "editor-alternative");
  await page.keyboard.press("Escape");
  await until(async () => /^!\[\]\(\/media\/boat[\w-]*\.png\)$/.test(await body(page)), "the image is added");
  await dialog.waitFor({ state: "detached" });
};

steps["a slash at the start of a line offers blocks"] = async (site) => {
  const { page } = site;
  const menu = page.getByRole("listbox", { name: "Blocks" });
  await at(site, "Text.\n|");
  await page.keyboard.type("/");
  await menu.waitFor();
  const active = () => page.locator("#body").evaluate((area) => document.getElementById(area.getAttribute("aria-activedescendant"))?.lastChild.textContent);
  assert.equal(await active(), "Heading");
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(), "Smaller heading");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await active(), "Divider");
  await accessible(page, "the menu", { iframes: false });
  await shoot(page, "editor-blocks");
  await page.keyboard.type("num");
  assert.deepEqual(await menu.getByRole("option").allTextContents(), ["1.Numbered list"]);
  await page.keyboard.press("Enter");
  assert.equal(await shown(page), "Text.\n\n1. |");
  await page.keyboard.press("Control+z");
  assert.equal(await body(page), "Text.\n/num");
  for (const [typed, text] of [["/head", "## |"], ["/sub", "### |"], ["/todo", "- [ ] |"], ["/quo", "> |"], ["/tab", "| | | |\n| --- | --- |\n| | |"], ["/cod", "```\n|\n```"], ["/div", "---\n\n|"]]) {
    await at(site, "|");
    await page.keyboard.type(typed);
    await menu.waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await shown(page), text, typed);
  }
  // A click does the same, and Escape or a word that finds nothing closes the menu.
  await at(site, "|");
  await page.keyboard.type("/");
  await menu.getByRole("option", { name: "Quote" }).click();
  await page.keyboard.type("So.");
  assert.equal(await body(page), "> So.");
  await at(site, "|");
  await page.keyboard.type("/");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  await page.keyboard.press("Enter");
  await page.keyboard.type("/usr/bin");
  await menu.waitFor({ state: "hidden" });
  assert.equal(await body(page), "/\n/usr/bin");
  // It opens nowhere else.
  for (const text of ["and|", "```\n|\n```"]) {
    await at(site, text);
    await page.keyboard.type("/");
    await handled(page);
    assert.ok(!(await menu.isVisible()), text);
  }
};

steps["a text from right to left is written from the right, and its menu is where it is written"] = async (site) => {
  const { page } = site;
  await at(site, "كان البحر هادئا\n\n|");
  await page.locator("#body").evaluate((area) => area.setSelectionRange(area.value.length, area.value.length));
  assert.equal(await page.locator("#body").evaluate((area) => getComputedStyle(area).direction), "rtl");
  await page.keyboard.type("/");
  const menu = page.getByRole("listbox", { name: "Blocks" });
  await menu.waitFor();
  const [list, paper] = [await menu.boundingBox(), await page.locator(".paper").boundingBox()];
  assert.ok(paper.x + paper.width - list.x - list.width < 40, JSON.stringify([list, paper]));
  await page.keyboard.type("list");
  await page.keyboard.press("Enter");
  await page.keyboard.type("أول");
  await page.keyboard.press("Enter");
  assert.equal(await shown(page), "كان البحر هادئا\n\n- أول\n- |");
  await page.locator("#field-title").fill("رحلة");
  assert.equal(await page.locator("#field-title").evaluate((field) => getComputedStyle(field).direction), "rtl");
};

steps["a text in HTML has no buttons for Markdown, and files are added to it as HTML"] = async (site) => {
  const { page, link, write } = site;
  write("content/items/raw.html", `${front}<p>Late.</p>\n`.replaceAll("walk", "raw").replace("A raw", "Raw"));
  await open(page, link, "Raw");
  await page.getByText("This text is HTML.").waitFor();
  assert.equal(await page.getByRole("toolbar").count(), 0);
  await select(site, "- one|");
  await page.keyboard.press("Enter");
  assert.equal(await shown(page), "- one\n|");
  await select(site, "The «ferry» came.");
  await paste(page, { "text/plain": "https://a.example/" });
  assert.equal(await body(page), "The https://a.example/ came.");
  await at(site, "<p>Late.</p>\n|");
  await drop(page, 'A "pier"');
  assert.match(await body(page), /^<p>Late\.<\/p>\n<img src="\/media\/pier[\w-]*\.png" alt="A &quot;pier&quot;">$/);
};

steps["words are counted, and the focus shows nothing but the text"] = async (site) => {
  const { page } = site;
  await open(page, site.link, "A walk");
  const count = (words) => page.locator(".words", { hasText: RegExp(`^${words}$`) }).waitFor();
  await count("4 words · 1 min read");
  for (const [text, words] of [["|", "0 words"], ["one|", "1 word · 1 min read"], ["It's a [well-known ferry](https://a.example/b/c).\n\n![x y](data:,)|", "4 words · 1 min read"], [`${"word ".repeat(1200)}|`, "1,200 words · 5 min read"]]) {
    await at(site, text);
    await count(words);
  }
  await page.getByRole("button", { name: "Focus" }).click();
  for (const hidden of ["header", "iframe", "#field-title"]) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  assert.equal(await page.evaluate(() => document.activeElement.id), "body");
  assert.ok(await page.locator(".state").isVisible());
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
      const [toolbar, text] = [await page.locator(".toolbar").boundingBox(), await page.locator("#body").boundingBox()];
      assert.ok(toolbar.y + toolbar.height <= text.y + 1, `the toolbar is above the text at ${width}`);
      await accessible(page, `focus ${scheme} ${width}`, { iframes: false });
      await shoot(page, `editor-focus-${scheme}-${width}`);
    }
  }
  await page.locator("#body").press("Escape");
  await page.locator("header").waitFor();
  assert.equal(await page.getByRole("button", { name: "Focus" }).getAttribute("aria-pressed"), "false");
};

(async () => {
  await runInBoth(steps, given, { always: [ofPreviews] });
  console.log(webkit.isThere ? "webkit:" : "not run in WebKit: webkit2gtk-driver and xvfb are not installed");
  if (webkit.isThere) await webkit.runInWebkit(ofWebkit, given);
})().finally(end);
