// Site Files in the editor: a template, what it renders to, and the way from a draft to what is published.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/site_files.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, expectConsole, handled, run, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, state, visit } = require("./editor_site.cjs");

const humans = "/* {{{title}}} */\n{{#items}}{{{title}}}\n{{/items}}";
const draft = "site-files/humans.txt.draft";

const list = async (page, link) => {
  await page.goto(link);
  await visit(page, "More");
  await page.getByRole("link", { name: "Site files" }).press("Enter");
  await page.getByRole("heading", { name: "Site files" }).waitFor();
};
const open = async (page, link, name) => {
  await list(page, link);
  await page.locator("tbody a", { hasText: name }).press("Enter");
  await page.locator("#body").waitFor();
};
const rendered = (page, words) => page.locator(".rendered", { hasText: words }).waitFor();
const press = (page, name) => page.getByRole("button", { name, exact: true }).press("Enter");

const steps = {
  "a new one is written, seen and published by keyboard": async ({ page, link, site, read, address }) => {
    await list(page, link);
    await page.getByLabel("New site file").fill("humans.html");
    await page.keyboard.press("Enter");
    await page.getByText("does not end in txt").waitFor();
    await page.getByLabel("New site file").fill("humans.txt");
    await page.keyboard.press("Enter");
    await page.locator("#body").click();
    await page.keyboard.insertText(humans);
    await rendered(page, "/* Walks */\nA walk");
    await until(() => fs.existsSync(path.join(site, draft)) && read(draft) === `${humans}\n`, "the draft is saved by itself");
    assert.ok(!fs.existsSync(path.join(site, "site-files/humans.txt")));
    await press(page, "Publish");
    await page.getByRole("heading", { name: "Publish /humans.txt" }).waitFor();
    assert.ok((await page.locator(".difference ins").allTextContents()).some((line) => line.includes("{{#items}}")));
    await press(page, "Publish it");
    await until(() => !fs.existsSync(path.join(site, draft)), "the draft took its place");
    assert.equal(read("site-files/humans.txt"), `${humans}\n`);
    assert.match(await (await page.request.get(`${address}/humans.txt`)).text(), /^\/\* Walks \*\/\nA walk/);
    await state(page, "Saved");
    assert.ok(await page.getByRole("button", { name: "Publish", exact: true }).isDisabled());
    expectConsole(page, /status of 400/, 1);
  },

  "a mistake is told with its line, and nothing of it is published": async ({ page, link, read, write }) => {
    write("site-files/list.json", '{"n": {{items.length}}}\n');
    await open(page, link, "list.json");
    await page.locator("#body").fill('{"n": {{items.length}},}\n');
    await page.locator(".faults .error", { hasText: "JSON" }).waitFor();
    await press(page, "Publish");
    await press(page, "Publish it");
    await page.locator(".panel [role=alert]", { hasText: "JSON" }).waitFor();
    assert.equal(read("site-files/list.json"), '{"n": {{items.length}}}\n');
    assert.equal(read("site-files/list.json.draft"), '{"n": {{items.length}},}\n');
    expectConsole(page, /status of 400/, 1);
  },

  "one that is generated is overridden from what it is, and generated again": async ({ page, link, site, read }) => {
    await open(page, link, "robots.txt");
    await rendered(page, "Sitemap:");
    await press(page, "Start with this text");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Disallow: /draft/");
    await press(page, "Publish");
    await press(page, "Publish it");
    await until(() => fs.existsSync(path.join(site, "site-files/robots.txt")), "it is published");
    assert.match(read("site-files/robots.txt"), /Sitemap: .*\nDisallow: \/draft\/\n$/);
    // The file exists before the answer arrives with its version.
    await page.locator("#told", { hasText: "robots.txt will be published" }).waitFor();
    page.once("dialog", (dialog) => dialog.accept());
    await press(page, "Restore the generated file");
    await page.getByRole("heading", { name: "Site files" }).waitFor();
    await page.locator("tr", { hasText: "robots.txt" }).getByText("Generated").waitFor();
    assert.ok(!fs.existsSync(path.join(site, "site-files/robots.txt")));
  },

  "what was published meanwhile on the disk is shown and not written over": async ({ page, link, site, read, write }) => {
    write("site-files/humans.txt", "One.\n");
    await open(page, link, "humans.txt");
    await page.locator("#body").fill("Mine.\n");
    await until(() => fs.existsSync(path.join(site, draft)), "the draft is saved");
    await press(page, "Publish");
    await page.getByRole("heading", { name: "Publish /humans.txt" }).waitFor();
    write("site-files/humans.txt", "Theirs.\n");
    await press(page, "Publish it");
    await page.getByText("changed in the meantime").waitFor();
    assert.match(await page.locator(".difference").innerText(), /− Theirs\.\s+\+ Mine\./);
    assert.equal(read("site-files/humans.txt"), "Theirs.\n");
    await press(page, "Publish it");
    await until(() => read("site-files/humans.txt") === "Mine.\n", "it is published over what was seen");
    expectConsole(page, /status of 409/);
  },

  "site.toml is shown before it is changed": async ({ page, link, read, write }) => {
    write("site-files/humans.txt", "One.\n");
    await open(page, link, "humans.txt");
    await page.getByText("Settings in site.toml").click();
    await page.getByLabel("Include /humans.txt in the site").press("Space");
    await page.getByRole("heading", { name: "Changes in site.toml" }).waitFor();
    await press(page, "Cancel");
    assert.ok(await page.getByLabel("Include /humans.txt in the site").isChecked());
    assert.doesNotMatch(read("site.toml"), /enabled/);
    await page.getByLabel("Media type").selectOption("text/markdown");
    await press(page, "Save site.toml");
    await until(() => /\[site_files\."humans\.txt"\]\ncontent_type = "text\/markdown"\n/.test(read("site.toml")), "site.toml has it");
  },

  "what a template holds is text, whatever it is": async ({ page, link, write }) => {
    write("site-files/bad.txt", '<img src=x onerror="document.title=1"><script>document.title=2</script>\n');
    await open(page, link, "bad.txt");
    await rendered(page, "<script>");
    await handled(page);
    assert.equal(await page.title(), "Editor");
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link, write }) => {
    write("site-files/humans.txt", `${"One long line. ".repeat(40)}\n`);
    await list(page, link);
    await accessible(page, "list");
    await shoot(page, "site-files-list");
    await page.locator("tbody a", { hasText: "humans.txt" }).click();
    await rendered(page, "One long line.");
    await page.getByText("Settings in site.toml").click();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        await accessible(page, `${colorScheme} ${width}`);
        await shoot(page, `site-file-${colorScheme}-${width}`);
      }
    }
  },
};

run(steps, given, { workers: 2, always: [ofPreviews] }).finally(end);
