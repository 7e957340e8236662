// Writes in the editor: what is typed is seen, saved in the author's file and nowhere else, and never lost.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/edit.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, run, shoot, until } = require("./common.cjs");
const { draft, end, given, open, quiet, state, walk } = require("./editor_site.cjs");

const steps = {
  "a link lets one in once, and nobody else": async ({ page, browser, link, address, complaints }) => {
    await page.goto(link);
    await page.locator("tbody a").first().waitFor();
    assert.equal(new URL(page.url()).hash, "#/");
    await page.reload();
    await page.locator("tbody a").first().waitFor();
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByText("used before").waitFor();
    await other.goto(`${address}/_edit/`);
    await other.reload();
    await other.getByText("feedwright edit").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("feedwright edit").first().waitFor();
    complaints.length = 0;
  },

  "what is typed is seen in the theme, and saved in the file alone": async ({ page, link, read, complaints }) => {
    await open(page, link, "A walk");
    const preview = page.frameLocator("iframe.is-shown");
    await preview.getByText("The ferry was late.").waitFor();
    await page.locator("#body").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n1. one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    await preview.locator("ol li", { hasText: "two" }).waitFor();
    assert.equal(read("content/items/walk.md"), walk);
    await page.getByRole("button", { name: "What changes" }).click();
    assert.deepEqual((await page.locator(".difference ins").allTextContents()).map((line) => line.trim()).sort(), ["+", "+ 1. one", "+ 2. two"]);
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}\n1. one\n2. two\n`);
    quiet(complaints);
  },

  "a field is one line of the file, and its comment stays": async ({ page, link, read, complaints }) => {
    await open(page, link, "A walk");
    await page.locator("#field-title").fill("A long walk");
    await page.locator("#field-tags").fill("sea, fog");
    await page.locator("#body").click();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), walk.replace('"A walk"', '"A long walk"').replace("+++\nThe", 'tags = ["sea", "fog"]\n+++\nThe'));
    quiet(complaints);
  },

  "a draft is saved by itself, and published by a button": async ({ page, link, read, complaints }) => {
    await open(page, link, "Fog");
    await page.locator("#body").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("White.");
    await until(() => read("content/items/fog.md") === `${draft}White.\n`, "the draft is saved");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await until(() => read("content/items/fog.md") === `${draft.replace("status: unpublished\n", "")}White.\n`, "it is published");
    quiet(complaints);
  },

  "an editor on the disk at the same time loses nothing": async ({ page, link, read, write, complaints }) => {
    await open(page, link, "A walk");
    await page.locator("#body").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Mine.");
    const theirs = `${walk}Theirs.\n`;
    write("content/items/walk.md", theirs);
    await page.keyboard.press("Control+s");
    await page.getByText("changed elsewhere").waitFor();
    assert.equal(read("content/items/walk.md"), theirs);
    assert.match(await page.locator(".difference").innerText(), /− Theirs\.\s+\+ Mine\./);
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}Mine.\n`);
    // What nobody has typed in is shown as it is.
    write("content/items/walk.md", theirs);
    await until(async () => (await page.locator("#body").inputValue()).includes("Theirs."), "the new text is shown");
    quiet(complaints);
  },

  "two windows lose nothing": async ({ page, context, link, address, read, complaints }) => {
    await open(page, link, "A walk");
    const other = await context.newPage();
    await open(other, `${address}/_edit/`, "A walk");
    for (const [one, words] of [[page, "First."], [other, "Second."]]) {
      await one.locator("#body").click();
      await one.keyboard.press("Control+End");
      await one.keyboard.type(words);
    }
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    await other.keyboard.press("Control+s");
    await other.getByText("changed elsewhere").waitFor();
    assert.equal(read("content/items/walk.md"), `${walk}First.\n`);
    quiet(complaints);
  },

  "what is written while the server is gone is there when it is back": async ({ page, link, address, read, start, stop, complaints }) => {
    await open(page, link, "A walk");
    await stop();
    await page.locator("#body").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Offline.");
    await page.getByText("The server does not answer.").waitFor();
    await start(new URL(address).host);
    // Another page, as after a crash of the browser.
    await page.reload();
    await page.getByText("not saved yet is here again").waitFor();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}Offline.\n`);
    complaints.length = 0;
  },

  "a new draft is begun and taken away by keyboard": async ({ page, link, site, read, complaints }) => {
    await page.goto(link);
    await page.getByLabel("New item").fill('Low "tide"');
    await page.keyboard.press("Enter");
    await page.locator("#body").waitFor();
    assert.match(read("content/items/low-tide.md"), /^\+\+\+\nid = "\w+"\nslug = "low-tide"\ntitle = "Low \\"tide\\""\nstatus = "unpublished"\n\+\+\+\n\n$/);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("heading", { name: "Items" }).waitFor();
    assert.ok(!fs.existsSync(path.join(site, "content/items/low-tide.md")));
    quiet(complaints);
  },

  "a hostile text runs nothing": async ({ page, link, write, complaints }) => {
    write("content/items/bad.md", '+++\nid = "bad"\ntitle = "<img src=x onerror=document.title=1>Bad"\nsummary = "<script>document.title=2</script>"\n+++\n<script>parent.document.title = "owned"; fetch("/_edit/api/site")</script><img src="/x" onerror="top.document.title=3"><form action="/_edit/api/save" method="post"><button>Go</button></form>\n');
    await open(page, link, "Bad");
    await page.frameLocator("iframe.is-shown").getByRole("button", { name: "Go" }).click();
    await page.waitForTimeout(300);
    assert.equal(await page.title(), "Editor");
    complaints.length = 0;
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link, complaints }) => {
    await page.goto(link);
    await page.locator("tbody a").first().waitFor();
    await accessible(page, "list", { iframes: false });
    await shoot(page, "editor-list");
    await open(page, page.url(), "A walk");
    await page.getByText("More fields").click();
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        await accessible(page, `${scheme} ${width}`, { iframes: false });
        await shoot(page, `editor-${scheme}-${width}`);
      }
    }
    quiet(complaints);
  },
};

run(steps, given, { workers: 2 }).finally(end);
