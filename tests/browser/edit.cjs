// Writes in the editor: what is typed is seen, saved in the author's file and nowhere else, and never lost.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/edit.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { GONE, accessible, expectConsole, feedwright, handled, patience, run, shoot, until, weight } = require("./common.cjs");
const { draft, end, given, ofPreviews, open, openMenu, state, visit, walk, writeOn } = require("./editor_site.cjs");

// Saves by the keyboard, and waits until the page has handled the answer.
const saved = async (page) => {
  const [answer] = await Promise.all([page.waitForResponse("**/_edit/api/save"), page.keyboard.press("Control+s")]);
  await answer.finished();
  await handled(page);
  return answer.status();
};

const steps = {
  "a link lets one in once, and nobody else": async ({ page, browser, link, address, site }) => {
    await page.goto(link);
    await page.locator("tbody a").first().waitFor();
    assert.equal(new URL(page.url()).hash, "#/");
    await page.reload();
    await page.locator("tbody a").first().waitFor();
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByText("already used").waitFor();
    await other.goto(`${address}/_edit/`);
    await other.reload();
    await other.getByText("feedwright edit").first().waitFor();
    await openMenu(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("feedwright edit").first().waitFor();
    // Another link, in the same tab: it is not loaded anew.
    const { stdout } = spawnSync(feedwright, ["edit", "--print", "--site", site], { encoding: "utf8" });
    await page.goto(`${address}/_edit/${stdout.match(/#code=\S+/)[0]}`);
    await page.locator("tbody a").first().waitFor();
    expectConsole(page, /status of 401/);
  },

  "what is typed is seen in the theme, and saved in the file alone": async ({ page, link, read }) => {
    await open(page, link, "A walk");
    const preview = page.frameLocator("iframe.is-shown");
    await preview.getByText("The ferry was late.").waitFor();
    await writeOn(page, "\n1. one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    await preview.locator("ol li", { hasText: "two" }).waitFor();
    assert.equal(read("content/items/walk.md"), walk);
    await page.getByRole("button", { name: "Show changes" }).click();
    assert.deepEqual((await page.locator(".difference ins").allTextContents()).map((line) => line.trim()).sort(), ["+", "+ 1. one", "+ 2. two"]);
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}\n1. one\n2. two\n`);
  },

  "a field is one line of the file, and its comment stays": async ({ page, link, read }) => {
    await open(page, link, "A walk");
    await page.locator("#field-title").fill("A long walk");
    await page.locator("#field-tags").fill("sea, fog");
    await page.locator("#body").click();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), walk.replace('"A walk"', '"A long walk"').replace("+++\nThe", 'tags = ["sea", "fog"]\n+++\nThe'));
  },

  "a draft is saved by itself, and published by a button": async ({ page, link, read }) => {
    await open(page, link, "Fog");
    await writeOn(page, "White.");
    await until(() => read("content/items/fog.md") === `${draft}White.\n`, "the draft is saved");
    // Its answer has come, too: a save that ends closes the panel of a draft that is published.
    await state(page, "Saved");
    await page.getByText("Publish now: goes online with the next publishing.").waitFor();
    await page.getByRole("button", { name: "Publish now" }).click();
    const dated = /^date_published: (\S+)\n/m;
    await until(() => read("content/items/fog.md").replace(dated, "") === `${draft.replace("status: unpublished\n", "")}White.\n`, "it is published");
    const date = dated.exec(read("content/items/fog.md"))[1].replaceAll(/["']/g, "");
    assert.ok(Math.abs(Date.now() - Date.parse(date)) < patience, date);
    // Nobody has seen it, so it is made the draft that it was.
    await page.getByRole("button", { name: "Back to draft" }).click();
    await until(() => read("content/items/fog.md").includes("status: unpublished\n") && !dated.test(read("content/items/fog.md")), "it is a draft");
  },

  "a draft is published at a chosen time": async ({ page, link, read, write }) => {
    // One of its own, and one that is chosen when it is published.
    write("content/items/rain.md", draft.replaceAll("fog", "rain").replace("Fog", "Rain").replace("status", "date: 2031-02-03T04:05:06Z\nstatus"));
    const publish = async (name, button) => {
      await page.locator("tbody a", { hasText: name }).click();
      await page.getByRole("button", { name: button }).click();
      return page.getByLabel("Readers see it from");
    };
    await page.goto(link);
    // The link is used up before the page signs in: a page that is loaded anew meanwhile would not be let in.
    await page.locator("tbody a").first().waitFor();
    await until(async () => {
      await page.reload();
      await page.locator("tbody a").first().waitFor();
      return page.locator("tbody a", { hasText: "Rain" }).count();
    }, "the draft is listed");
    const own = await publish("Rain", "Change the date");
    assert.equal(await own.inputValue(), "2031-02-03T04:05");
    await page.getByRole("button", { name: "Schedule" }).click();
    await until(() => !read("content/items/rain.md").includes("status"), "it is published");
    assert.match(read("content/items/rain.md"), /^date: 2031-02-03T04:05:06Z\n/m);
    await visit(page, "Posts");
    const chosen = await publish("Fog", "Schedule");
    await chosen.fill("2031-05-06T07:08");
    await page.getByRole("button", { name: "Schedule" }).click();
    await until(() => /^date_published: .?2031-05-06T07:08:00Z/m.test(read("content/items/fog.md")), "it has the chosen time");
  },

  "an editor on the disk at the same time loses nothing": async ({ page, link, read, write }) => {
    await open(page, link, "A walk");
    await writeOn(page, "Mine.");
    const theirs = `${walk}Theirs.\n`;
    write("content/items/walk.md", theirs);
    // The page may have seen it by itself before.
    assert.equal(await saved(page), 409);
    await page.getByText("changed elsewhere").waitFor();
    assert.equal(read("content/items/walk.md"), theirs);
    assert.match(await page.locator(".difference").innerText(), /− Theirs\.\s+\+ Mine\./);
    await page.getByRole("button", { name: "Overwrite with my text" }).click();
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}Mine.\n`);
    // What nobody has typed in is shown as it is.
    write("content/items/walk.md", theirs);
    await until(async () => (await page.locator("#body").inputValue()).includes("Theirs."), "the new text is shown");
    expectConsole(page, /status of 409/);
  },

  "two windows lose nothing": async ({ page, context, link, address, read }) => {
    await open(page, link, "A walk");
    const other = await context.newPage();
    await open(other, `${address}/_edit/`, "A walk");
    for (const [one, words] of [[page, "First."], [other, "Second."]]) {
      await writeOn(one, words);
    }
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(await saved(other), 409);
    await other.getByText("changed elsewhere").waitFor();
    assert.equal(read("content/items/walk.md"), `${walk}First.\n`);
    expectConsole(page, /status of 409/);
  },

  "what is written while the server is gone is there when it is back": async ({ page, link, address, read, start, stop }) => {
    await open(page, link, "A walk");
    await stop();
    await writeOn(page, "Offline.");
    await page.getByText("The server does not answer.").waitFor();
    await start(new URL(address).host);
    // Another page, as after a crash of the browser.
    await page.reload();
    await page.getByText("unsaved text was restored").waitFor();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}Offline.\n`);
    expectConsole(page, GONE);
  },

  "an answer that comes late leaves what is shown by then": async ({ page, link, read }) => {
    const held = [];
    const open = new Set();
    page.on("request", (request) => open.add(request));
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => open.delete(request));
    const wanted = new Set();
    const hold = (operation) => wanted.add(operation);
    await page.route("**/_edit/api/*", async (route) => {
      if (wanted.delete(route.request().url().split("/").at(-1))) await new Promise((answer) => held.push(answer));
      await route.continue();
    });
    const show = (name) => page.evaluate((view) => { location.hash = `#/${view}`; }, name);
    const waits = (name) => until(() => held.length, `${name} waits`);
    const release = async () => {
      held.splice(0).forEach((answer) => answer());
      // What was answered may ask for more.
      for (let calm = 0; calm < 4; calm = open.size ? 0 : calm + 1) await handled(page);
    };
    const more = async () => {
      await show("more");
      await page.getByRole("link", { name: "Site files" }).waitFor();
    };
    const isMore = async () => assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "More");
    // What is asked first of all, and what a view asks by itself. Who goes on before the sign-in is done is signed in, too.
    hold("sign-in");
    hold("site");
    await page.goto(link);
    await waits("the sign-in");
    await show("pages");
    await handled(page);
    held.splice(0).forEach((answer) => answer());
    await waits("the first view");
    await more();
    await release();
    await isMore();
    for (const [view, operation] of [["open/content/items/fog.md", "open"], ["publish", "publish"], ["keys", "keys"], ["journal", "journal"], ["calendar", "calendar"], ["agents", "agents"]]) {
      hold(operation);
      await show(view);
      await waits(view);
      await more();
      await release();
      await isMore();
    }
    // What a button asked for.
    await show("keys");
    await page.getByLabel("Name", { exact: true }).fill("Phone");
    await page.getByLabel("content:read").check();
    hold("make-key");
    await page.getByRole("button", { name: "Create the key" }).click();
    await waits("the button");
    await more();
    await release();
    await isMore();
    await page.getByText("its secret can no longer be shown").waitFor();
    // A view that is overtaken is not shown while the next one waits, either.
    hold("deliveries");
    await show("deliveries");
    await waits("the deliveries");
    const [deliveries] = held.splice(0);
    hold("site");
    await show("keys");
    await waits("the next view");
    const late = page.waitForResponse("**/_edit/api/deliveries");
    deliveries();
    await (await late).finished();
    for (let times = 0; times < 4; times += 1) await handled(page);
    await isMore();
    await release();
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Keys");
    // The one that is shown goes on to work.
    hold("deliveries");
    await show("deliveries");
    await waits("the deliveries");
    await show("open/content/items/walk.md");
    await page.locator("#body").waitFor();
    await release();
    await writeOn(page, "On time.");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}On time.\n`);
    // The way past the head is no other view.
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.ok(await page.locator("#body").isVisible());
  },

  "a new draft is begun and taken away by keyboard": async ({ page, link, site, read }) => {
    await page.goto(link);
    await page.locator("main").getByRole("link", { name: "New post" }).press("Enter");
    await page.getByLabel("Title").fill('Low "tide"');
    await page.keyboard.press("Enter");
    await page.locator("#body").waitFor();
    assert.match(read("content/items/low-tide.md"), /^\+\+\+\nid = "\w+"\nslug = "low-tide"\ntitle = "Low \\"tide\\""\nstatus = "unpublished"\n\+\+\+\n\n$/);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
    assert.ok(!fs.existsSync(path.join(site, "content/items/low-tide.md")));
  },

  "two windows lose nothing, closed without a save": async ({ page, context, link, address, read }) => {
    await open(page, link, "A walk");
    const other = await context.newPage();
    await open(other, `${address}/_edit/`, "A walk");
    for (const [one, words] of [[page, "First."], [other, "Second."]]) {
      await writeOn(one, words);
    }
    await page.goto("about:blank");
    await other.reload();
    await other.getByRole("heading", { name: "Another window has unsaved text" }).waitFor();
    assert.match(await other.locator("#body").inputValue(), /Second\./);
    await other.getByRole("button", { name: "Use the other text" }).click();
    await until(async () => /First\./.test(await other.locator("#body").inputValue()), "the other text is here");
    // What stood there is kept in its place.
    await other.reload();
    await other.getByRole("button", { name: "Discard the other text" }).click();
    await other.reload();
    await other.getByText("unsaved text was restored").waitFor();
    await other.keyboard.press("Control+s");
    await state(other, "Saved");
    assert.equal(read("content/items/walk.md").length, `${walk}First.\n`.length);
    assert.deepEqual(await other.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("unsaved"))), []);
  },

  "a browser that has no room says so, and drafts are saved all the same": async ({ page, link, read }) => {
    await open(page, link, "Fog");
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await writeOn(page, "More.");
    await page.getByText("this browser has no space").waitFor();
    await state(page, "Saved");
    assert.match(read("content/items/fog.md"), /Grey\.\nMore\./);
  },

  "a save whose answer is lost is no conflict with itself": async ({ page, link, read }) => {
    await open(page, link, "A walk");
    await page.route("**/api/save", async (route) => {
      await route.fetch();
      await route.abort();
    }, { times: 1 });
    await writeOn(page, "One.");
    await page.keyboard.press("Control+s");
    await until(() => /One/.test(read("content/items/walk.md")), "it is saved");
    await page.keyboard.type("Two.");
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${walk}One.Two.\n`);
    assert.equal(await page.getByText("changed elsewhere").count(), 0);
    expectConsole(page, /ERR_FAILED/);
    // None where the page saw before the second save that the file holds the first.
    expectConsole(page, /status of 409/, "any");
  },

  "lines end as they did": async ({ page, link, read, write }) => {
    const dos = walk.replaceAll("\n", "\r\n");
    write("content/items/walk.md", dos);
    await open(page, link, "A walk");
    await state(page, "Saved");
    await writeOn(page, "More.");
    await page.locator("#field-title").fill("A long walk");
    await page.locator("#body").click();
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/items/walk.md"), `${dos.replace("A walk", "A long walk")}More.\r\n`);
  },

  "a field that is typed while the server is gone is changed when it is back": async ({ page, link, address, read, start, stop }) => {
    await open(page, link, "A walk");
    await stop();
    await page.locator("section.more summary", { hasText: "Search engines" }).click();
    await page.locator("#field-summary").fill("Along the coast.");
    await page.locator("#body").click();
    await page.getByText("The server does not answer.").waitFor();
    assert.equal(await page.locator("#field-summary").inputValue(), "Along the coast.");
    await start(new URL(address).host);
    await page.getByText("The server does not answer.").waitFor({ state: "hidden" });
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.match(read("content/items/walk.md"), /summary = "Along the coast\."/);
    expectConsole(page, GONE);
  },

  "what one window deletes, the other still has": async ({ page, context, link, address, site }) => {
    await open(page, link, "A walk");
    const other = await context.newPage();
    await open(other, `${address}/_edit/`, "A walk");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
    assert.ok(!fs.existsSync(path.join(site, "content/items/walk.md")));
    await other.getByRole("heading", { name: "The file was deleted elsewhere" }).waitFor();
    await other.getByRole("button", { name: "Overwrite with my text" }).click();
    await state(other, "Saved");
    assert.equal(fs.readFileSync(path.join(site, "content/items/walk.md"), "utf8"), walk);
  },

  "scripts of the site reach nothing of the editor": async ({ page, context, link, address, write, read }) => {
    const script = `<script>
      (async () => {
        const seen = { name: location.hostname, token: localStorage.getItem("feedwright-token") };
        const ask = (to) => fetch(to + "/_edit/api/site", { method: "POST", headers: { "feedwright-token": seen.token ?? "" }, credentials: "include", body: "{}" });
        seen.own = await ask("").then((answer) => answer.status, () => "refused");
        seen.other = await ask("${address}").then((answer) => answer.status, () => "refused");
        const opened = open("${address}/_edit/");
        // Until the editor is there, the window shows an empty page, which is the opener's own.
        try {
          while (opened.location.href === "about:blank") await new Promise((done) => setTimeout(done, 10));
          seen.opened = opened.document.title;
        } catch { seen.opened = "refused"; }
        document.title = JSON.stringify(seen);
      })();
    </script>`;
    write("content/pages/evil.md", `+++\ntitle = "Evil"\n+++\n${script}\n<iframe src="${address}/evil/" title="e"></iframe>\n`);
    await open(page, link, "A walk");
    const port = new URL(address).port;
    const evil = await context.newPage();
    // It is opened at the editor's name, and shown at its own.
    await evil.goto(`${address}/evil/`);
    assert.equal(evil.url(), `http://127.0.0.1:${port}/evil/`);
    await until(async () => (await evil.title()).startsWith("{"), "the script has tried");
    assert.deepEqual(JSON.parse(await evil.title()), { name: "127.0.0.1", token: null, own: 401, other: "refused", opened: "refused" });
    // At the editor's name it does not run, not even in a frame.
    const framed = evil.frames().find((frame) => frame.url().startsWith(address));
    assert.match(await framed.title(), /^Evil/);
    assert.equal(read("content/items/walk.md"), walk);
    expectConsole(page, /status of 401/);
    expectConsole(page, /^Access to fetch at '\S+\/_edit\/api\/site' from origin \S+ has been blocked by CORS policy/, 1);
    expectConsole(page, /ERR_FAILED/);
    // At the editor's name, a page of the site runs no script.
    expectConsole(page, /^Blocked script execution in '\S+\/evil\/'/);
  },

  "all of it is small, and nothing comes from elsewhere": async ({ page, link, address }) => {
    const origins = new Set();
    page.on("response", (response) => response.url().startsWith("data:") || origins.add(new URL(response.url()).origin));
    await open(page, link, "A walk");
    await page.locator("iframe.is-shown").waitFor({ state: "attached" });
    assert.deepEqual([...origins], [address]);
    // All that the page loads, as a server or a proxy compresses it.
    let sum = 0;
    for (const name of ["", "editor.css", "main.js"]) {
      const answer = await page.request.get(`${address}/_edit/${name}`);
      assert.equal(answer.status(), 200, name);
      sum += weight(await answer.text());
    }
    assert.ok(sum > 50_000 && sum <= 100_000, `${sum} bytes compressed`);
  },

  "known tags are offered after those that are there": async ({ page, link, write }) => {
    write("content/items/tide.md", '+++\nid = "tide"\ntitle = "Tide"\ntags = ["sea", "fog"]\n+++\n');
    await open(page, link, "A walk");
    await page.locator("#field-tags").fill("sea, ");
    const offered = () => page.locator("#choices-tags option").evaluateAll((all) => all.map((option) => option.value));
    await until(async () => (await offered()).length, "tags are offered");
    assert.deepEqual(await offered(), ["sea, fog"]);
  },

  "the list is searched and narrowed to a status": async ({ page, link }) => {
    await page.goto(link);
    await visit(page, "Posts");
    await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
    const shown = () => page.locator("tbody a").allTextContents();
    assert.deepEqual((await shown()).toSorted(), ["A walk", "Fog"]);
    await page.getByLabel("Status").selectOption("draft");
    assert.deepEqual(await shown(), ["Fog"]);
    await page.getByLabel("Search").fill("walk");
    assert.deepEqual(await shown(), []);
    await page.getByText("0 posts").waitFor();
    await page.getByLabel("Status").selectOption("");
    assert.deepEqual(await shown(), ["A walk"]);
  },

  "words are found and replaced, and the browser takes it back": async ({ page, link }) => {
    await open(page, link, "A walk");
    const text = () => page.locator("#body").inputValue();
    await page.locator("#body").click();
    await page.keyboard.press("Control+f");
    await page.getByLabel("Find").fill("late");
    await page.getByLabel("Replace with").fill("early");
    await page.getByRole("button", { name: "Replace all" }).press("Enter");
    assert.equal(await text(), "The ferry was **early**.\n");
    await page.locator("#body").press("Control+z");
    assert.equal(await text(), "The ferry was **late**.\n");
    // An address that is pasted over words is their link, and marks go around a selection.
    await page.locator("#body").evaluate((area) => area.setSelectionRange(4, 9));
    await page.keyboard.press("Control+i");
    assert.equal(await text(), "The *ferry* was **late**.\n");
    await page.locator("#body").evaluate((area) => {
      area.setSelectionRange(5, 10);
      const data = new DataTransfer();
      data.setData("text/plain", "https://example.com/a");
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    assert.equal(await text(), "The *[ferry](https://example.com/a)* was **late**.\n");
  },

  "the channel has its form, and a licence is picked from the list": async ({ page, link, read }) => {
    await page.goto(link);
    await visit(page, "Site");
    await page.locator("#body").waitFor();
    await page.locator("#field-title").fill("Long walks");
    const licence = page.locator("#field-podcast-license");
    await licence.evaluate((input) => {
      for (let folded = input.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
    });
    const list = await licence.getAttribute("list");
    assert.ok((await page.locator(`#${list} option`).evaluateAll((all) => all.map(({ value }) => value))).includes("CC-BY-4.0"));
    await licence.fill("CC-BY-4.0");
    await page.locator("#body").click();
    assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
    await page.keyboard.press("Control+s");
    await state(page, "Saved");
    assert.equal(read("content/channel.md"), '+++\ntitle = "Long walks"\n\n[podcast]\nlicense = "CC-BY-4.0"\n+++\nBy the sea.\n');
  },

  "what is wrong is told at its field, and the way leads there": async ({ page, link, write }) => {
    write("content/items/zoo.md", '+++\nid = "zoo"\nslug = "zoo"\ntitle = "Zoo"\ndate_created = "soon"\n\n[podcast]\npeople = ["Ada", { name = "Grace", role = 3 }]\n+++\nSee [there](gone.md).\n');
    await page.goto(link);
    await visit(page, /^Problems/);
    await page.locator("a", { hasText: "zoo.md" }).first().click();
    await page.locator("#field-date_created-wrong", { hasText: "soon" }).waitFor();
    assert.ok(await page.locator("#field-date_created").isVisible());
    await page.locator("#field-podcast-people-wrong", { hasText: "role" }).waitFor();
    await page.getByRole("button", { name: /^Show .*soon/ }).press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "field-date_created");
    // What only the whole site shows.
    write("content/items/zoo.md", '+++\nid = "zoo"\nslug = "walk"\ntitle = "Zoo"\n+++\nSee [there](gone.md).\n');
    await page.locator("#field-slug-wrong", { hasText: "walk" }).waitFor();
    await page.locator(".faults", { hasText: "gone.md" }).waitFor();
    // What no build tells, and what is in a file that is for another editor.
    write("content/items/zoo.md", `+++\nid = "zoo"\nslug = "zoo"\ntitle = "${"Zoo ".repeat(30)}"\n+++\nElephants.\n`);
    write("site.toml", 'base_url = "https://example.com"\n');
    await page.locator("#field-title-wrong", { hasText: "119 characters" }).waitFor();
    write("content/items/zoo.md", '+++\nid = "zoo"\nslug = "zoo"\ntitle = "Zoo"\n+++\nElephants.\n');
    await visit(page, /^Problems/);
    const ofSite = page.locator(".faults li", { hasText: "still the example address" });
    await ofSite.getByText("site.toml:1", { exact: true }).waitFor();
    assert.match(await ofSite.innerText(), /base_url = "https:\/\/example\.com"/);
    assert.equal(await ofSite.getByRole("link").count(), 0);
  },

  "a hostile text runs nothing": async ({ page, link, write }) => {
    write("content/items/bad.md", '+++\nid = "bad"\ntitle = "<img src=x onerror=document.title=1>Bad"\nsummary = "<script>document.title=2</script>"\n+++\n<script>parent.document.title = "owned"; fetch("/_edit/api/site")</script><img src="/x" onerror="top.document.title=3"><form action="/_edit/api/save" method="post"><button>Go</button></form>\n');
    await page.goto(link);
    const row = page.locator("tbody a", { hasText: "Bad" }).first();
    await until(() => row.waitFor({ timeout: 2000 }).then(() => true, () => page.reload().then(() => false)), "it is listed");
    await row.click();
    const blocked = page.context().waitForEvent("console", (message) => /^Blocked form submission/.test(message.text()));
    await page.frameLocator("iframe.is-shown").getByRole("button", { name: "Go" }).click();
    await blocked;
    await handled(page);
    assert.equal(await page.title(), "Editor");
    expectConsole(page, /status of 404/, 1);
    expectConsole(page, /^Blocked form submission to '\/_edit\/api\/save'/, 1);
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link }) => {
    await page.goto(link);
    await page.locator("tbody a").first().waitFor();
    await accessible(page, "list", { iframes: false });
    await shoot(page, "editor-list");
    await open(page, page.url(), "A walk");
    for (const group of await page.locator("section.more > details > summary").all()) await group.click();
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
  },
};

run(steps, given, { workers: 2, always: [ofPreviews] }).finally(end);
