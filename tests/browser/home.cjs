// The editor around its texts: the home view, the navigation, the lists, the palette, the preview, and how an item begins.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/home.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, fixtures, handled, run, shoot, silence, still, until, watchMoves } = require("./common.cjs");
const { end, given, ofPreviews, open, state, visit } = require("./editor_site.cjs");

const cover = fs.readFileSync(path.join(fixtures, "small-site/content/items/episode/cover.png"));
const episode = (name, title, date, more = "") =>
  `+++\nid = "${name}"\nslug = "${name}"\ntitle = "${title}"\ndate_published = ${date}T09:00:00Z\nattachment = "talk.wav"\nimage = "cover.png"\n${more}+++\n${"Waves.\n\n".repeat(60)}`;
const numbers = (season, number) => `\n[podcast]\nseason = ${season}\nepisode = ${number}\n`;

// A show with three episodes, of which one is scheduled, in a repository.
const show = async () => {
  const made = await given();
  const all = { pier: episode("pier", "The pier", "2026-02-01", numbers(2, 6)), tide: episode("tide", "Low tide", "2026-03-01", numbers(2, 7)), soon: episode("soon", "Soon", "2126-01-01", numbers(2, 8)) };
  fs.rmSync(path.join(made.site, "content/items/walk.md"));
  for (const [name, text] of Object.entries(all)) {
    made.write(`content/items/${name}/talk.wav`, silence(65));
    made.write(`content/items/${name}/cover.png`, cover);
    made.write(`content/items/${name}/index.md`, text);
  }
  made.write("content/pages/about.md", '+++\ntitle = "About"\n+++\nUs.\n');
  return made;
};
const enter = async (page, link) => {
  await page.goto(link);
  await until(async () => {
    await page.locator("tbody a").first().waitFor();
    if (await page.locator("tbody a", { hasText: "Low tide" }).count()) return true;
    await page.reload();
    return false;
  }, "the episodes are listed");
};
const rows = (page, name) => page.getByRole("table", { name }).locator("tbody tr");
const text = async (row) => (await row.innerText()).replace(/\s+/g, " ").trim();

const steps = {
  "home tells the state of the site, and what to do next": async ({ page, link, site, write }) => {
    const git = (...words) => assert.equal(spawnSync("git", ["-C", site, "-c", "user.name=Ada", "-c", "user.email=ada@walks.example", "-c", "commit.gpgsign=false", ...words]).status, 0);
    write(".gitignore", "/.feedwright\n");
    git("init", "--quiet", "-b", "main");
    git("add", "-A");
    git("commit", "--quiet", "-m", "Begin");
    write("content/pages/about.md", '+++\ntitle = "About us"\n+++\nUs.\n');
    await enter(page, link);
    assert.match(await text(rows(page, "Drafts").first()), /^P? ?Fog Draft$/);
    assert.match(await text(rows(page, "Scheduled").first()), /^Soon Scheduled S2 E8 1:05 Jan 1, 2126$/);
    assert.match(await text(rows(page, /^Latest/).first()), /^Low tide Published S2 E7 1:05 Mar 1, 2026$/);
    await page.getByRole("link", { name: "Not published yet: 1 corrected page" }).waitFor();
    await page.locator("nav a", { hasText: /^Publish 1$/ }).waitFor({ state: "attached" });
    // Only one button is filled.
    assert.equal(await page.locator("main .primary").count(), 1);
    assert.equal(await page.locator("main .primary").innerText(), "New episode");
    write("content/items/fog.md", "+++\nid = 3\n+++\n");
    await until(async () => {
      await page.reload();
      await page.locator(".facts li").first().waitFor({ state: "attached" });
      return page.locator(".facts a", { hasText: /error/ }).count();
    }, "the error is told");
    await page.locator(".facts a", { hasText: /error/ }).click();
    await page.getByRole("heading", { name: "Problems" }).waitFor();
    await page.locator(".faults", { hasText: "fog.md" }).waitFor();
  },

  "nothing moves when answers come late": async ({ page, link, site }) => {
    assert.equal(spawnSync("git", ["-C", site, "init", "--quiet"]).status, 0);
    await enter(page, link);
    await watchMoves(page);
    const home = page.url().split("#")[0];
    const asked = [];
    await page.route(/\/_edit\/api\//, (route) => (route.request().resourceType() === "fetch" ? asked.push(route) : route.continue()));
    // Each view, and the answers that it waits for.
    const views = {
      "": ["site", "publish"],
      items: ["site"],
      "open/content/items/pier/index.md": ["recording", "online", "preview"],
      channel: ["preview"],
      calendar: ["calendar"],
      faults: ["site"],
      publish: ["publish", "setup-state"],
      journal: ["journal"],
      keys: ["keys"],
      agents: ["agents"],
    };
    for (const [view, needed] of Object.entries(views)) {
      for (const width of [1440, 768, 390]) {
        await page.goto("about:blank");
        await page.setViewportSize({ width, height: 800 });
        asked.length = 0;
        await page.goto(`${home}#/${view}`);
        const answered = new Set();
        await until(async () => {
          // Each answer comes after the page has drawn the previous one.
          for (let route; (route = asked.shift()); ) {
            await route.fulfill({ response: await route.fetch() });
            await (await route.request().response())?.finished();
            await handled(page);
            answered.add(route.request().url().split("/").at(-1));
          }
          return needed.every((name) => answered.has(name));
        }, `${view} asks for ${needed}`);
        await page.locator("main h1").waitFor();
        await handled(page);
        await still(page, `${view} at ${width}`, 0.001);
      }
    }
  },

  "the palette finds all by typing, and keeps out of the text": async ({ page, link }) => {
    await enter(page, link);
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox", { name: "Go to" });
    await input.waitFor();
    await page.keyboard.type("low ti");
    const options = page.locator(".palette").getByRole("option");
    assert.match(await options.first().innerText(), /^Low tide\s+Episode · published$/);
    assert.equal(await options.first().getAttribute("aria-selected"), "true");
    assert.equal(await input.getAttribute("aria-activedescendant"), await options.first().getAttribute("id"));
    await accessible(page, "palette");
    await shoot(page, "palette");
    await page.keyboard.press("Enter");
    await page.locator("#body").waitFor();
    assert.match(page.url(), /tide/);
    // In the text, the same keys make a link.
    const area = page.locator("#body");
    await area.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+k");
    await handled(page);
    assert.equal(await page.locator(".palette").count(), 0);
    // An action, by the arrow keys and from the button.
    await page.locator("#menu").click();
    await page.getByRole("button", { name: /^Find/ }).click();
    await page.keyboard.type("new");
    const names = async () => (await options.allInnerTexts()).map((words) => words.split("\n")[0].trim());
    assert.deepEqual((await names()).map((name) => name.replace(/\s*Action$/, "")), ["New episode", "New post", "New photo"]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New post" }).waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("zzz");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".palette").waitFor({ state: "detached" });
  },

  "the navigation is a side bar, or a menu that closes by itself": async ({ page, link }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(page, link);
    const names = page.locator("nav li:visible");
    assert.deepEqual((await names.allInnerTexts()).map((name) => name.trim().split("\n")[0]), ["Home", "Episodes", "Pages", "Show", "Problems", "Publish", "More", "View site", "Sign out"]);
    assert.equal(await page.locator("nav [aria-current]").innerText(), "Home");
    assert.equal(await page.locator("#menu").isVisible(), false);
    await visit(page, "Episodes");
    await page.locator("tbody a", { hasText: "The pier" }).click();
    await page.locator("#body").waitFor();
    assert.equal(await page.locator("nav [aria-current=true]").innerText(), "Episodes");
    await page.setViewportSize({ width: 390, height: 800 });
    const nav = page.locator("#navigation");
    assert.equal(await nav.isVisible(), false);
    await page.locator("#menu").focus();
    await page.keyboard.press("Enter");
    assert.ok(await nav.isVisible());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.equal(await nav.isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), "menu");
    await page.keyboard.press("Enter");
    await nav.getByRole("link", { name: "Pages" }).press("Enter");
    await page.getByRole("heading", { name: "Pages" }).waitFor();
    assert.equal(await nav.isVisible(), false);
    for (const box of await page.locator("header :is(a, button):visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))) assert.ok(box >= 44, `${box} pixels`);
  },

  "lists show pictures and numbers, newest first": async ({ page, link }) => {
    await enter(page, link);
    await visit(page, "Episodes");
    await page.getByRole("heading", { name: "Episodes", exact: true }).waitFor();
    assert.deepEqual(await page.locator("tbody a").allInnerTexts(), ["Fog", "Soon", "Low tide", "The pier"]);
    const row = page.locator("tbody tr", { hasText: "Low tide" });
    assert.equal(await text(row), "Low tide Published S2 E7 1:05 Mar 1, 2026");
    await until(() => row.locator("img").evaluate((picture) => picture.complete && picture.naturalWidth > 0), "the cover is shown");
    const { width, height } = await row.locator("img").boundingBox();
    assert.deepEqual([width, height], [48, 48]);
    await page.getByLabel("Search").fill("nothing like it");
    await page.getByText("No episode matches.").waitFor();
  },

  "the preview has widths, and takes the place of the text on a phone": async ({ page, link }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, link);
    await open(page, page.url(), "The pier");
    const frame = page.locator("iframe.is-shown");
    await frame.waitFor();
    const inner = () => frame.evaluate((own) => own.contentWindow.innerWidth);
    await page.getByRole("button", { name: "Phone" }).click();
    await until(async () => (await inner()) === 390, "it is as wide as a phone");
    await page.getByRole("button", { name: "Tablet" }).click();
    await until(async () => (await inner()) === 768, "it is as wide as a tablet");
    const box = await page.locator(".look").boundingBox();
    assert.ok((await frame.boundingBox()).width <= box.width + 1, "the whole width is seen");
    // The width stays chosen, and the place in the page, too.
    await page.reload();
    await frame.waitFor();
    await until(async () => (await inner()) === 768, "the width is kept");
    await page.getByRole("button", { name: "Full" }).click();
    await frame.evaluate((own) => own.contentWindow.scrollTo(0, 600));
    await page.locator("#field-title").fill("The long pier");
    await page.locator("#field-title").press("Tab");
    await page.frameLocator("iframe.is-shown").getByText("The long pier").first().waitFor();
    await until(() => page.locator("iframe.is-shown").evaluate((own) => own.contentWindow.scrollY === 600), "the place is kept");
    await page.setViewportSize({ width: 390, height: 800 });
    assert.equal(await frame.isVisible(), false);
    await page.getByRole("button", { name: "Preview" }).click();
    assert.ok(await frame.isVisible());
    assert.equal(await page.locator("#body").isVisible(), false);
    await page.getByRole("button", { name: "Back to the text" }).click();
    assert.ok(await page.locator("#body").isVisible());
    // In the dark, nothing is white before the preview is there.
    await page.emulateMedia({ colorScheme: "dark" });
    assert.notEqual(await page.locator(".look").evaluate((own) => getComputedStyle(own).backgroundColor), "rgb(255, 255, 255)");
  },

  "an empty site says how to begin": async ({ page, link, site }) => {
    fs.rmSync(path.join(site, "content/items"), { recursive: true });
    fs.writeFileSync(path.join(site, "site.toml"), 'base_url = "https://walks.example"\ntheme = "podcast"\n');
    await page.goto(link);
    await until(async () => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (await page.getByText("There are no episodes yet.").count()) return true;
      await page.reload();
      return false;
    }, "the site is empty");
    await page.locator("main").getByRole("link", { name: "New episode" }).click();
    await page.getByRole("heading", { name: "New episode" }).waitFor();
    assert.equal(await page.getByText("It will be").count(), 0);
  },

  "every button and field is large enough for a finger": async ({ browser, link }) => {
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await enter(page, link);
    for (const view of ["", "items", "new", "open/content/items/pier/index.md", "channel", "calendar", "faults", "publish", "more", "journal", "keys", "site-files", "agents"]) {
      await page.evaluate((view) => (location.hash = `#/${view}`), view);
      await page.waitForFunction((view) => location.hash === `#/${view}` && document.querySelector("main h1"), view);
      await handled(page);
      assert.equal(await page.locator("h1").count(), 1, view);
      const small = await page.evaluate(() => {
        for (const folded of document.querySelectorAll("details")) folded.open = true;
        return [...document.querySelectorAll("main :is(a, button, input, select, summary, textarea), header a")].flatMap((one) => {
          // A link in a sentence is as high as its line, and one in a row of a table covers the row.
          const target = one.matches("tr a") ? one.closest("tr") : (one.labels?.[0] ?? one);
          const { width, height } = target.getBoundingClientRect();
          const isLarge = Math.max(height, one.offsetHeight) >= 43.9 && Math.max(width, one.offsetWidth) >= 43.9;
          return isLarge || !one.checkVisibility({ visibilityProperty: true }) || one.matches("p a, .entry a") ? [] : [`${one.outerHTML.slice(0, 100)} ${width}×${height}`];
        });
      });
      assert.deepEqual(small, [], view);
    }
    await context.close();
  },

  "what sticks to the top of a phone leaves the toolbar in sight": async ({ page, link }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await enter(page, link);
    await open(page, page.url(), "The pier");
    await page.locator("#body").evaluate((area) => scrollTo({ top: area.getBoundingClientRect().top + scrollY - 60, behavior: "instant" }));
    const box = (selector) => page.locator(selector).boundingBox();
    const [bar, toolbar] = [await box(".bar"), await box(".toolbar")];
    assert.ok(bar.y === 0 && bar.height <= 110, JSON.stringify(bar));
    assert.ok(toolbar.y >= bar.y + bar.height - 1, JSON.stringify([bar, toolbar]));
    // The names of fields move with the line when the window changes.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Edit the file" }).click();
    await page.locator("#whole").evaluate((area) => area.setSelectionRange(area.value.indexOf("title"), area.value.indexOf("title")));
    await page.keyboard.type("description = \"" + "wide words ".repeat(12) + "\"\n\n");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type("su");
    const list = page.locator("#keys");
    await list.waitFor();
    const before = await list.boundingBox();
    await page.setViewportSize({ width: 600, height: 900 });
    await until(async () => Math.abs((await list.boundingBox()).y - before.y) > 10, "the list follows its line");
  },

  "all of it is accessible, in both colours and at all widths": async ({ page, link }) => {
    await enter(page, link);
    for (const view of ["", "items", "pages", "new", "faults", "more", "open/content/items/pier/index.md"]) {
      await page.evaluate((view) => (location.hash = `#/${view}`), view);
      await page.waitForFunction((view) => location.hash === `#/${view}` && document.querySelector("main h1"), view);
      await handled(page);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        for (const width of [3840, 1440, 1280, 1100, 768, 390, 320]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${view}: ${wide} of ${width} pixels`);
          const titles = await page.locator("tbody .of-title").evaluateAll((all) => all.map((one) => one.clientWidth));
          assert.ok(titles.every((title) => title > 140), `${view} at ${width}: ${titles}`);
          if (width === 1440 || width === 390) await accessible(page, `${view} ${colorScheme} ${width}`, { iframes: false });
          await shoot(page, `home-${view.split("/")[0]}-${colorScheme}-${width}`);
        }
      }
    }
  },
};

run(steps, show, { workers: 2, always: [ofPreviews] }).finally(end);
