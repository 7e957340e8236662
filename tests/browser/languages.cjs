// The editor of a site in several languages: lists, new drafts, translations and their previews.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/languages.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { accessible, run, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, state, visit } = require("./editor_site.cjs");

const site = async () => {
  const made = await given();
  made.write("content/channel.de.md", '+++\ntitle = "Wege"\n+++\nAm Meer.\n');
  made.write("content/items/walk.de.md", '+++\nid = "weg"\nslug = "weg"\ntitle = "Ein Weg"\ndate_published = 2026-01-05T09:00:00Z\n+++\nAn der Fähre.\n');
  made.write("content/pages/about.md", '+++\ntitle = "About"\n+++\nUs.\n');
  made.write("site.toml", 'base_url = "https://walks.example"\n[languages]\ndefault = "en"\nothers = ["de", "fr"]\n');
  return made;
};
const enter = async (page, link) => {
  await page.goto(link);
  await until(async () => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (await page.locator("tbody a", { hasText: "Ein Weg" }).count()) return true;
    await page.reload();
    return false;
  }, "the texts in all languages are listed");
};
const opened = (page, path) => page.locator(".write .soft", { hasText: path }).waitFor();
const titles = (page) => page.locator("tbody a").allInnerTexts();
const look = (page) => page.frameLocator("iframe").locator("html");

const steps = {
  "a list shows the languages and filters by them": async ({ page, link }) => {
    await enter(page, link);
    await visit(page, "Posts");
    const language = page.getByLabel("Language", { exact: true });
    await language.waitFor();
    assert.deepEqual((await titles(page)).sort(), ["A walk", "Ein Weg", "Fog"]);
    const row = page.locator("tbody tr", { hasText: "Ein Weg" });
    assert.equal(await row.locator("abbr.language").getAttribute("title"), "German");
    await shoot(page, "languages-list");
    await language.selectOption("de");
    assert.deepEqual(await titles(page), ["Ein Weg"]);
    await language.selectOption("fr");
    assert.deepEqual(await titles(page), []);
    await accessible(page, "list of one language");
  },

  "a missing translation is created next to the original and opened": async ({ page, link, read, address }) => {
    await enter(page, link);
    await page.locator("tbody a", { hasText: "Ein Weg" }).first().click();
    const languages = page.getByRole("group", { name: "Languages of this text" });
    await languages.getByRole("link", { name: "English" }).click();
    await opened(page, "content/items/walk.md");
    await languages.getByRole("button", { name: "Translate: Français" }).click();
    await opened(page, "content/items/walk.fr.md");
    await page.locator("#field-title").fill("Une promenade");
    await page.locator("#field-title").press("Tab");
    await until(() => read("content/items/walk.fr.md").includes('title = "Une promenade"'), "the draft is saved");
    const text = read("content/items/walk.fr.md");
    assert.match(text, /^\+\+\+\nid = "(?!walk")\w+"\nslug = "walk"\n/);
    assert.match(text, /status = "unpublished"\n\+\+\+\nThe ferry was/);
    // The preview is a page of the French edition.
    await look(page).locator("h1", { hasText: "Une promenade" }).waitFor();
    assert.equal(await look(page).getAttribute("lang"), "fr");
    await accessible(page, "translation");
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} of ${width} pixels`);
      await shoot(page, `languages-translation-${width}`);
    }
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.getByRole("button", { name: "Publish now" }).click();
    await until(async () => (await fetch(`${address}/fr/i/walk/`)).status === 200, "the translation is published");
    assert.equal(await languages.getByRole("link").count(), 2);
  },

  "a new draft has the chosen language": async ({ page, link, read, address }) => {
    await enter(page, link);
    await visit(page, /^New/);
    await page.getByLabel("Title").fill("Ebbe");
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await shoot(page, "languages-new");
    await page.getByRole("button", { name: "Start the draft" }).click();
    await opened(page, "content/items/ebbe.de.md");
    assert.match(read("content/items/ebbe.de.md"), /slug = "ebbe"\ntitle = "Ebbe"\nstatus/);
    // The last language stays chosen.
    await visit(page, "Pages");
    await page.getByLabel("New page").fill("Anreise");
    await page.getByRole("button", { name: "Start a draft" }).click();
    await opened(page, "content/pages/anreise.de.md");
    assert.equal((await fetch(`${address}/de/nothing/`)).status, 404);
  },

  "each language has its own description of the site": async ({ page, link, read }) => {
    await enter(page, link);
    await visit(page, "Site");
    const languages = page.getByRole("group", { name: "Languages of this text" });
    await languages.getByRole("link", { name: "Deutsch" }).click();
    await opened(page, "content/channel.de.md");
    await look(page).locator("h1, .site-title, header", { hasText: "Wege" }).first().waitFor();
    assert.equal(await look(page).getAttribute("lang"), "de");
    await shoot(page, "languages-channel");
    await languages.getByRole("link", { name: "Français" }).click();
    await opened(page, "content/channel.fr.md");
    await page.locator("#field-title").fill("Promenades");
    await page.locator("#field-title").press("Tab");
    await page.getByRole("button", { name: "Save" }).click();
    await state(page, "Saved");
    assert.match(read("content/channel.fr.md"), /title = "Promenades"/);
  },
};

run(steps, site, { workers: 2, always: [ofPreviews] }).finally(end);
