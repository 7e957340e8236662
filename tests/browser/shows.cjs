// The editor of a network: the choice of a show, and what is listed and created in it.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/shows.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { accessible, run, shoot, until } = require("./common.cjs");
const { end, given, ofPreviews, openMenu, state, visit } = require("./editor_site.cjs");

const item = (id, title) => `+++\nid = "${id}"\nslug = "${id}"\ntitle = "${title}"\ndate_published = 2026-01-05T09:00:00Z\n+++\nWaves.\n`;
const site = async () => {
  const made = await given();
  made.write("shows/rivers/channel.md", '+++\ntitle = "Rivers"\n+++\nDownstream.\n');
  made.write("shows/rivers/items/weir.md", item("weir", "The weir"));
  made.write("shows/rivers/pages/hosts.md", '+++\ntitle = "Hosts"\n+++\nWe.\n');
  made.write("shows/tides/channel.md", '+++\ntitle = "Tides"\n+++\nEbb and flow.\n');
  made.write("shows/tides/show.toml", 'path = "/sea/"\n');
  made.write("shows/tides/items/ebb.md", item("ebb", "Ebb"));
  return made;
};
const enter = async (page, link) => {
  await page.goto(link);
  await until(async () => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    if ((await page.locator("#show option").count()) === 4 && (await page.locator("tbody a").count()) >= 4) return true;
    await page.reload();
    return false;
  }, "the files of all shows are listed");
};
const choice = (page) => page.getByLabel("Show", { exact: true });
const choose = async (page, label) => {
  await openMenu(page);
  await choice(page).selectOption({ label });
};
const titles = async (page) => (await page.locator("tbody a").allInnerTexts()).sort();
const listed = (page, ...wanted) => until(async () => JSON.stringify(await titles(page)) === JSON.stringify(wanted), `the list has ${wanted}`);
const opened = (page, path) => page.locator(".write .soft", { hasText: path }).waitFor();

const steps = {
  "lists and links are those of the chosen show, also after a reload": async ({ page, link }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(page, link);
    assert.deepEqual(await choice(page).locator("option").allInnerTexts(), ["All", "Walks", "Rivers", "Tides"]);
    await visit(page, "Posts");
    await listed(page, "A walk", "Ebb", "Fog", "The weir");
    assert.equal(await page.locator("tr", { hasText: "Ebb" }).locator(".show-name").innerText(), "Tides");
    await shoot(page, "shows-all");
    await choice(page).focus();
    await page.keyboard.type("Tid");
    await listed(page, "Ebb");
    assert.equal(await page.locator("tr .show-name").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), "show");
    const view = page.getByRole("link", { name: "View site" });
    assert.equal(await view.evaluate((own) => new URL(own.href).pathname), "/sea/");
    await page.reload();
    await listed(page, "Ebb");
    assert.equal(await choice(page).inputValue(), "shows/tides");
    assert.equal(await page.locator(".site").innerText(), "Tides");
    await visit(page, "Home");
    await listed(page, "Ebb");
    await choose(page, "Walks");
    await listed(page, "A walk", "Fog");
    await choose(page, "Rivers");
    await visit(page, "Pages");
    await listed(page, "Hosts");
    await accessible(page, "list of one show");
  },

  "new files are in the chosen show": async ({ page, link, read, address }) => {
    await enter(page, link);
    await choose(page, "Tides");
    await visit(page, /^New/);
    await page.getByLabel("Title").fill("Spring tide");
    await page.getByRole("button", { name: "Start the draft" }).click();
    await opened(page, "shows/tides/items/spring-tide.md");
    assert.match(read("shows/tides/items/spring-tide.md"), /title = "Spring tide"\nstatus = "unpublished"/);
    // The preview is a page of the show.
    await page.frameLocator("iframe").getByRole("link", { name: "Tides" }).first().waitFor();
    assert.equal(await page.locator("nav [aria-current]").innerText(), "Posts");
    await page.getByRole("button", { name: "Publish now" }).click();
    await until(async () => (await fetch(`${address}/sea/i/spring-tide/`)).status === 200, "the item of the show is published");
    await visit(page, "Pages");
    await page.getByLabel("New page").fill("Tide tables");
    await page.getByRole("button", { name: "Start a draft" }).click();
    await opened(page, "shows/tides/pages/tide-tables.md");
    // A file that is open is left for the home view of the other show.
    await choose(page, "Rivers");
    await listed(page, "The weir");
    await visit(page, "Site");
    await opened(page, "shows/rivers/channel.md");
    await choose(page, "All");
    await opened(page, "content/channel.md");
  },

  "a choice waits for a text that cannot be left": async ({ page, link, read }) => {
    await enter(page, link);
    await page.locator("tbody a", { hasText: "Ebb" }).click();
    await opened(page, "shows/tides/items/ebb.md");
    await page.route("**/api/edit", () => {});
    await page.locator("#field-title").fill("Low ebb");
    await page.locator("#field-title").press("Tab");
    page.once("dialog", (dialog) => dialog.dismiss());
    await choose(page, "Rivers");
    await until(async () => (await choice(page).inputValue()) === "", "the choice is undone");
    await opened(page, "shows/tides/items/ebb.md");
    assert.match(page.url(), /ebb\.md$/);
    assert.doesNotMatch(read("shows/tides/items/ebb.md"), /Low ebb/);
    page.once("dialog", (dialog) => dialog.accept());
    await choose(page, "Rivers");
    await listed(page, "The weir");
  },

  "a new event is in a calendar of the show": async ({ page, link, read }) => {
    await enter(page, link);
    await choose(page, "Tides");
    await page.goto(`${page.url().split("#")[0]}#/calendar`);
    await page.getByRole("button", { name: "New event", exact: true }).click();
    await page.getByLabel("Title").fill("Mudflat walk");
    await page.getByLabel("Folder name").fill("tours");
    await page.getByRole("button", { name: "Create the event" }).click();
    await opened(page, "shows/tides/calendars/tours/");
    assert.match(read("shows/tides/calendars/tours/calendar.toml"), /summary = "Tours"/);
    await choose(page, "Rivers");
    await page.getByRole("heading", { name: "Rivers" }).waitFor();
    await page.goto(`${page.url().split("#")[0]}#/calendar`);
    await page.locator("#month").waitFor();
    assert.equal(await page.getByText("Mudflat walk").count(), 0);
  },

  "a title that was typed stays when another show is chosen": async ({ page, link, read }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await enter(page, link);
    await choose(page, "Tides");
    // The menu closes, and leaves the list to be read.
    await until(async () => !(await choice(page).isVisible()), "the menu is closed");
    await visit(page, /^New/);
    await page.getByLabel("Title").fill("High water");
    await choose(page, "Rivers");
    await page.getByRole("heading", { name: "New post" }).waitFor();
    await until(async () => (await page.getByLabel("Title").inputValue()) === "High water", "the title is kept");
    assert.ok(!(await choice(page).isVisible()));
    await page.getByRole("button", { name: "Start the draft" }).click();
    await opened(page, "shows/rivers/items/high-water.md");
    assert.match(read("shows/rivers/items/high-water.md"), /title = "High water"/);
    // The next item begins without it.
    await visit(page, /^New/);
    await page.getByRole("heading", { name: "New post" }).waitFor();
    assert.equal(await page.locator("#new-title").inputValue(), "");
  },

  "links of the public list of shows fit a finger": async ({ page, address }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const links = page.locator(".show a, .of-show a");
    await until(async () => {
      await page.goto(`${address}/`);
      return (await links.count()) >= 4;
    }, "the shows are listed");
    for (const link of await links.all()) {
      const { height } = await link.boundingBox();
      assert.ok(height >= 44, `${height} pixels`);
    }
    await shoot(page, "shows-public-390");
  },

  "the choice fits narrow windows, and a finger": async ({ page, link }) => {
    await enter(page, link);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await openMenu(page);
      const { height } = await choice(page).boundingBox();
      assert.ok(height >= 44, `${height} pixels`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} of ${width} pixels`);
      await shoot(page, `shows-${width}`);
      await accessible(page, `choice of a show at ${width} pixels`);
    }
    await page.keyboard.press("Escape");
    await visit(page, "Posts");
    await listed(page, "A walk", "Ebb", "Fog", "The weir");
    await shoot(page, "shows-list-390");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} of 390 pixels`);
  },

  "a site without shows has no choice": async ({ page, link, site }) => {
    await enter(page, link);
    await choose(page, "Tides");
    await listed(page, "Ebb");
    require("node:fs").rmSync(`${site}/shows`, { recursive: true });
    await until(async () => {
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
      return JSON.stringify(await titles(page)) === JSON.stringify(["A walk", "Fog"]);
    }, "the files of the site are listed");
    assert.ok(!(await choice(page).isVisible()));
    assert.equal(await page.locator(".site").innerText(), "Walks");
  },
};

run(steps, site, { workers: 2, always: [ofPreviews] }).finally(end);
