// Looks at the search of a built site through a browser, behind a server that knows nothing but files.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/search.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { fault, idOf, rows } = require("../search/fixture.cjs");
const { accessible, build, expectConsole, handled, run, serve, shoot, silence, still, temporaryFolder, until, watchMoves } = require("./common.cjs");

// What is said for ten minutes: of lanterns once in a while, and of a paper lantern at the end.
const lanterns = (n) => {
  const clock = (time) => `00:${String(Math.floor(time / 60)).padStart(2, "0")}:${String(time % 60).padStart(2, "0")}.000`;
  const line = (at) => (at % 29 ? "Then one goes on along the shore, as long as it is light" : at === 116 ? "A paper lantern" : "Here a lantern");
  return `WEBVTT\n\n${Array.from({ length: 120 }, (_, at) => `${clock(at * 5)} --> ${clock(at * 5 + 5)}\n${line(at + n)}, and counts what comes in, ${at}.\n`).join("\n")}`;
};

// The corpus of the table, with a player, with queries of many results and of some that are said, and with a long title.
const withMore = (site) => {
  const items = path.join(site, "content/items");
  const talk = path.join(items, "talk/index.md");
  fs.writeFileSync(path.join(items, "talk/talk.wav"), silence());
  fs.writeFileSync(talk, fs.readFileSync(talk, "utf8").replace("\n[podcast]", '\nattachment = "talk.wav"\n[podcast]'));
  for (let n = 0; n < 25; n += 1) {
    fs.writeFileSync(path.join(items, `many-${n}.md`), `+++\ntitle = "Harbour ${n}"\nslug = "many-${n}"\n+++\n${"A harbour, and boats. ".repeat(n + 1)}\n`);
  }
  for (let n = 0; n < 6; n += 1) {
    const item = path.join(items, `lit-${n}`);
    fs.mkdirSync(item);
    fs.writeFileSync(path.join(item, "said.vtt"), lanterns(n));
    fs.writeFileSync(path.join(item, "index.md"), `+++\ntitle = "Evening ${n}"\nslug = "lit-${n}"\n\n[podcast]\ntranscripts = ["said.vtt"]\n+++\n${n % 2 ? "A lantern." : "A long evening beside a lantern, with many words. ".repeat(9)}\n`);
  }
  fs.writeFileSync(path.join(items, "long.md"), `+++\ntitle = "${"Lengthy ".repeat(1250)}"\nslug = "long"\n+++\nText.\n`);
  fs.writeFileSync(path.join(items, "unbroken.md"), `+++\ntitle = "${"Unbroken".repeat(1250)}"\nslug = "unbroken"\n+++\n${"unbroken".repeat(400)}\n`);
};

const corpus = build("search");
const out = build("search", withMore);

const titles = (page, within = "main") => page.locator(`${within} .mf-public-search-result__title`).allTextContents();
const status = (page, words, within = "main") => page.locator(`${within} [role=status]`).filter({ hasText: words }).waitFor();
// What was said before is no answer to what comes now.
const forget = (page, within = "main") => page.locator(`${within} [role=status]`).evaluate((element) => (element.textContent = ""));
// Until there is more: the button hides at once, what it asks for comes later.
const clickMore = async (page, more) => {
  await forget(page);
  await more.click();
  await status(page, /result/i);
};
// Puts words into the input that has the focus, all at once: each key would be a query, with a status of its own.
const enter = async (page, words) => {
  await forget(page, "dialog");
  await page.keyboard.insertText(words);
};
// What is wrong with what a query finds on the page, those of similar words too. Results may come after a first status, and
// so does the button for more: they are looked at until they are right, and then once more.
const wrong = async (page, base, row) => {
  await page.goto(`${base}/search/?q=${encodeURIComponent(row.query)}`);
  await status(page, /result/i);
  const more = page.locator("main .mf-public-search-more:not([hidden])");
  const found = async () => {
    if (await more.count()) await clickMore(page, more);
    const addresses = await page.locator("main .mf-public-search-result").evaluateAll((links) => links.map(({ href }) => href));
    return fault(row, addresses.map((address) => idOf(address.slice(base.length + 1))));
  };
  const isRight = async () => !(await found()) && !(await more.count());
  try {
    await until(isRight, row.query);
    await handled(page);
  } catch {
    // It is told below.
  }
  return found();
};

const steps = {
  // In many tabs, as each waits until its status is told.
  async "queries find what the table says"({ context, corpusBase }) {
    const left = [...rows];
    const faults = [];
    const tab = async () => {
      const page = await context.newPage();
      for (let row; (row = left.pop()); ) faults.push(await wrong(page, corpusBase, row));
    };
    await Promise.all(Array.from({ length: 12 }, tab));
    assert.equal(faults.length, rows.length);
    assert.equal(faults.filter(Boolean).join("\n"), "");
  },

  async "the dialog opens by key and link, finds, and gives the focus back"({ page, base }) {
    await page.goto(`${base}/`);
    const focused = () => page.evaluate(() => document.activeElement.className || document.activeElement.tagName);
    for (const open of [() => page.keyboard.press("/"), () => page.keyboard.press("Control+k"), () => page.click("[data-search-open]")]) {
      await open();
      await page.locator("dialog[open] input:focus").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog:not([open])").waitFor({ state: "attached" });
    }
    assert.equal(await focused(), "search-link", "the focus is back at what opened it");
    await page.keyboard.press("Control+k");
    await enter(page, "kubernetes");
    await status(page, "2 results", "dialog");
    assert.deepEqual(await titles(page, "dialog"), ["Kubernetes for one", "Something else"]);
    await page.locator("dialog mark", { hasText: "kubernetes" }).first().waitFor();
    // What style sheets of themes for the published service name.
    const result = page.locator("dialog [data-service-search-results-context=popup] > * > .mf-public-search-result").first();
    assert.equal(await result.getAttribute("data-service-search-result-type"), "item");
    const domain = result.locator(".mf-public-search-result__domain");
    assert.equal(await domain.textContent(), new URL(base).hostname);
    assert.equal(await domain.isVisible(), false);
    await shoot(page, "search-dialog");
    await accessible(page, "dialog");
    await result.evaluate((one) => one.style.setProperty("--mf-search-result-domain-display", "inline"));
    assert.equal(await domain.isVisible(), true);
    await page.keyboard.press("Escape");
    await page.locator("dialog:not([open])").waitFor({ state: "attached" });
    await page.keyboard.press("/");
    await enter(page, "kubernetes");
    await status(page, "2 results", "dialog");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^Something else/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/i/kubernetes/`);
  },

  async "typos are looked for when nothing else is found, or when they are asked for"({ page, base, asked }) {
    const titlesAsked = () => asked.filter((name) => name.startsWith("/search/index/"));
    asked.length = 0;
    await page.goto(`${base}/search/?q=kubernetes`);
    await status(page, "2 results");
    const before = titlesAsked().length;
    const more = page.locator("main .mf-public-search-more");
    assert.equal(await more.textContent(), "Results for similar words");
    await clickMore(page, more);
    assert.equal(await more.isVisible(), false);
    assert.ok(titlesAsked().length > before);
    assert.equal((await titles(page)).length, 2);
    await page.goto(`${base}/search/?q=kubernets`);
    await status(page, "1 result");
    assert.equal(await more.isVisible(), false);
    // One letter too few for a typo.
    await page.goto(`${base}/search/?q=tea`);
    await status(page, /result/i);
    assert.equal(await more.isVisible(), false);
  },

  async "the search page alone names the entry, and it is fetched once"({ page, base, asked }) {
    asked.length = 0;
    await page.goto(`${base}/search/?q=kubernetes`);
    await status(page, "2 results");
    assert.equal(asked.filter((name) => name.endsWith("/entry.bin")).length, 1);
    assert.equal(await page.locator("link[rel=preload]").count(), 1);
    // It is asked for before the script can ask for it.
    const [entry, script] = await page.evaluate(() => ["entry.bin", "search.js"].map((end) => performance.getEntriesByType("resource").find(({ name }) => name.endsWith(end)).toJSON()));
    assert.ok(entry.startTime < script.responseEnd, `${entry.startTime} ${script.responseEnd}`);
    await page.goto(`${base}/`);
    assert.equal(await page.locator("link[rel=preload]").count(), 0);
  },

  async "its script comes when search is used, and nothing that is typed before is lost"({ page, base }) {
    const script = "/search/search.js";
    const isAsked = () => page.waitForRequest(`**${script}`);
    const uses = [() => page.hover("[data-search-open]"), () => page.keyboard.press("/"), () => page.keyboard.press("Control+k"), () => page.click("[data-search-open]")];
    for (const use of uses) {
      // A pointer that stands at the link when the page comes uses it.
      await page.mouse.move(0, 400);
      await page.goto(`${base}/`, { waitUntil: "networkidle" });
      assert.equal(await page.evaluate((script) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(script)).length, script), 0);
      await Promise.all([isAsked(), use()]);
    }
    const held = [];
    await page.route(`**${script}`, (route) => held.push(route));
    const release = () => Promise.all(held.splice(0).map((route) => route.continue()));
    await page.goto(`${base}/`);
    await Promise.all([isAsked(), page.keyboard.press("/")]);
    assert.equal(await page.locator("dialog[open] input:focus").count(), 1, "the key opens it before the script is there");
    await page.keyboard.type("kubernetes");
    await until(() => held.length, "the script is asked for");
    await release();
    await status(page, "2 results", "dialog");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${base}/i/kubernetes/`);
    await page.goto(`${base}/search/`, { waitUntil: "commit" });
    await page.locator("main input").fill("kubernetes");
    await until(() => held.length, "the script is asked for");
    await release();
    await status(page, "2 results");
  },

  async "a script that does not come is told of, and asked for again"({ page, base, context }) {
    await page.goto(`${base}/`, { waitUntil: "networkidle" });
    await context.setOffline(true);
    await page.keyboard.press("/");
    await status(page, "can’t be loaded", "dialog");
    await page.keyboard.type("kuber");
    await status(page, "can’t be loaded", "dialog");
    await context.setOffline(false);
    await page.keyboard.type("netes");
    await status(page, "2 results", "dialog");
    expectConsole(page, /ERR_INTERNET_DISCONNECTED/);
    expectConsole(page, /^TypeError: Failed to fetch dynamically imported module: \S+\/search\/search\.js/);
  },

  async "nothing moves while the texts of results come"({ browser, base }) {
    for (const width of [320, 1280]) {
      for (const query of ["lantern", "harbour", '"paper lantern"']) {
        const context = await browser.newContext({ viewport: { width, height: 900 } });
        const page = await context.newPage();
        await watchMoves(page);
        const session = await context.newCDPSession(page);
        await session.send("Network.emulateNetworkConditions", { offline: false, latency: 200, downloadThroughput: 150_000, uploadThroughput: 150_000 });
        await page.goto(`${base}/search/?q=${encodeURIComponent(query)}`);
        await status(page, /^(At least )?\d/);
        await page.locator(query === "harbour" ? "main .mf-public-search-result__text mark" : "main .mf-public-search-passage mark").nth(2).waitFor();
        await page.waitForLoadState("networkidle");
        await shoot(page, `search-texts-${query.replace(/\W/g, "")}-${width}`);
        await still(page, `${query} ${width}`);
        await context.close();
      }
    }
  },

  async "the slash is typed where one types"({ page, base }) {
    await page.goto(`${base}/search/`);
    await page.locator("main input").pressSequentially("a/b");
    assert.equal(await page.locator("main input").inputValue(), "a/b");
    assert.equal(await page.locator("dialog[open]").count(), 0);
  },

  async "the page keeps its query in the address, back and forward"({ page, base }) {
    await page.goto(`${base}/search/?q=kubernetes`);
    await status(page, "2 results");
    await page.fill("main input", "harbour");
    await status(page, "25 results");
    assert.equal(new URL(page.url()).search, "?q=harbour");
    assert.equal((await titles(page)).length, 10);
    await shoot(page, "search-page");
    await accessible(page, "page");
    await page.click("main .mf-public-search-more");
    await page.waitForFunction(() => document.querySelectorAll("main .mf-public-search-result").length === 20);
    await page.locator("main .mf-public-search-result:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/i\/many-/);
    await page.goBack();
    await status(page, "25 results");
    // Some browsers begin anew with the fields of a page that comes back.
    await page.locator("main input").evaluate((input) => input.form.reset());
    assert.equal(await page.locator("main input").inputValue(), "harbour");
    await page.locator("main input").press("Enter");
    await page.fill("main input", "cafe");
    await status(page, "3 results");
    await page.goBack();
    await status(page, "25 results");
    assert.equal(await page.locator("main input").inputValue(), "harbour");
    await page.goBack();
    await status(page, "2 results");
    assert.equal(await page.locator("main input").inputValue(), "kubernetes");
    await page.goForward();
    await status(page, "25 results");
  },

  async "what was said is found, and played from there"({ page, base }) {
    await page.goto(`${base}/search/?q=photovoltaics`);
    const passage = page.locator("main .mf-public-search-passage").first();
    await passage.locator("mark").waitFor();
    const said = await passage.textContent();
    const [, minutes, seconds] = /^(\d+):(\d\d) /.exec(said);
    await passage.click();
    const time = Number(minutes) * 60 + Number(seconds);
    await page.waitForURL(`${base}/i/talk/#t=${time}`);
    await page.waitForFunction((time) => document.querySelector("audio").currentTime >= time, time);
    await page.waitForFunction(() => !document.querySelector("audio").paused);
    await page.evaluate(() => (location.hash = "t=250"));
    await page.waitForFunction(() => document.querySelector("audio").currentTime >= 250);
  },

  async "nothing that is found is run"({ page, base }) {
    let alerts = 0;
    page.on("dialog", (dialog) => dialog.dismiss().then(() => (alerts += 1)));
    await page.goto(`${base}/search/?q=${encodeURIComponent("alert quotes")}`);
    await status(page, "1 result");
    assert.deepEqual(await titles(page), ['<script>alert(1)</script> & "quotes"']);
    for (const query of ['"unclosed', "x".repeat(200), "🎉", "\"'\"'".repeat(50), "<img src=x onerror=alert(3)>", "%", "مرحبا"]) {
      await page.goto(`${base}/search/?q=${encodeURIComponent(query)}`);
      await status(page, /result/);
    }
    await page.goto(`${base}/search/?q=%ED%A0%80`);
    await status(page, "No results");
    // Half a character, typed.
    for (const [typed, said] of [["\\ud800", "No results"], ["\\ud800 kubernetes", "2 results"]]) {
      await page.evaluate(`{ const input = document.querySelector("main input"); input.value = "${typed}"; input.dispatchEvent(new Event("input")); }`);
      await status(page, said);
    }
    await page.goto(`${base}/search/?q=lengthy`);
    await status(page, "1 result");
    const { height } = await page.locator("main .mf-public-search-result__title").boundingBox();
    assert.ok(height < 80, "a long title is cut");
    assert.equal(alerts, 0);
  },

  async "no view of search scrolls sideways"({ page, base }) {
    const scrolled = () => page.evaluate(() => {
      const canScroll = (element) => element === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
      return [document.documentElement, ...document.querySelectorAll("main, main *, dialog, dialog *")]
        .filter((element) => canScroll(element) && element.scrollWidth > element.clientWidth)
        .map((element) => element.outerHTML.slice(0, 80));
    });
    for (const width of [320, 420, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      for (const query of ["lengthy", "unbroken", "harbour", "photovoltaics"]) {
        await page.goto(`${base}/search/?q=${query}`);
        await status(page, /\d result/);
        assert.deepEqual(await scrolled(), [], `page, ${query}, ${width}`);
        await page.goto(`${base}/`);
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await status(page, /\d result/, "dialog");
        assert.deepEqual(await scrolled(), [], `dialog, ${query}, ${width}`);
        const { x, width: dialogWidth } = await page.locator("dialog").boundingBox();
        const room = await page.evaluate(() => document.body.getBoundingClientRect().right);
        assert.ok(x >= 0 && x + dialogWidth <= room, `the dialog is within the page, ${width}`);
      }
    }
  },

  async "after it was loaded it works offline, and says where it cannot"({ page, base, context }) {
    await page.goto(`${base}/search/?q=harbour`);
    await status(page, "25 results");
    await context.setOffline(true);
    await forget(page);
    await page.fill("main input", "harbou");
    await status(page, "25 results");
    await page.goto(`${base}/`).catch(() => {});
    // The browser's own page would come in between the next one.
    await page.waitForURL(/^chrome-error:/);
    await context.setOffline(false);
    await page.goto(`${base}/search/`);
    // The script comes after the page.
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/search.js")));
    await handled(page);
    await context.setOffline(true);
    await page.fill("main input", "harbour");
    await status(page, "can’t be loaded");
    await context.setOffline(false);
    await page.fill("main input", "harbou");
    await status(page, "25 results");
    expectConsole(page, /ERR_INTERNET_DISCONNECTED/);
  },

  async "an index that is missing, old or broken is told apart"({ page }) {
    const broken = temporaryFolder();
    fs.cpSync(out, broken, { recursive: true });
    const base = await serve(broken, { below: "/blog" });
    const entry = path.join(broken, "search/index/entry.bin");
    const whole = fs.readFileSync(entry);
    for (const [content, said] of [
      [undefined, "isn’t available"],
      [zlib.deflateRawSync('{"version":99}'), "has been updated"],
      [whole.subarray(0, 20), "isn’t working"],
    ]) {
      if (content) fs.writeFileSync(entry, content);
      else fs.rmSync(entry);
      await page.goto(`${base}/search/?q=harbour`);
      await status(page, said);
    }
    expectConsole(page, /status of 404/, 1);
  },

  async "without JavaScript the page says so, and offers the archive"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/search/`);
    assert.match(await page.locator("noscript p").textContent(), /needs JavaScript/);
    await page.locator(".browse").getByRole("link", { name: "Archive" }).click();
    await page.waitForURL(`${base}/archive/`);
    await context.close();
  },

  async "a key cancels what the new query does not need"({ page, base, asked }) {
    const cancelled = [];
    page.on("requestfailed", (request) => cancelled.push(request.url()));
    await page.goto(`${base}/search/`);
    const held = [];
    let isHeld = true;
    // What is cancelled meanwhile cannot go on.
    const goOn = (route) => route.continue().catch(() => {});
    await page.route("**/item.json", (route) => (isHeld ? held.push(route) : goOn(route)));
    await page.fill("main input", '"exact words"');
    await until(() => held.length, "a text is asked for");
    const needed = held[0].request().url();
    asked.length = 0;
    await page.fill("main input", '"exact words" here');
    // All that is asked for now is answered.
    isHeld = false;
    await Promise.all(held.map(goOn));
    await status(page, "1 result");
    assert.deepEqual(cancelled, []);
    assert.equal(asked.filter((name) => needed.endsWith(name)).length, 1, "what both need is fetched once");
    // It is held back until it is cancelled.
    isHeld = true;
    held.length = 0;
    await page.fill("main input", '"tokyo coffee"');
    await until(() => held.length, "a text is asked for");
    const left = held[0].request().url();
    isHeld = false;
    await page.fill("main input", "harbour");
    await status(page, "25 results");
    await until(() => cancelled.includes(left), "the request is cancelled");
  },

  async "fast typing leaves only what it needs"({ page, base, asked }) {
    await page.goto(`${base}/`);
    await page.keyboard.press("/");
    await until(() => asked.some((name) => name.endsWith("/entry.bin")), "the script is there");
    await handled(page);
    asked.length = 0;
    // Faster than any answer comes.
    await page.locator("dialog input").evaluate((input, words) => {
      for (const letter of words) {
        input.value += letter;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }, "harbour 1");
    await page.locator("dialog .mf-public-search-result").first().waitFor();
    const names = asked.filter((name) => name.startsWith("/search/"));
    assert.equal(new Set(names).size, names.length, `nothing is fetched twice: ${names}`);
  },
};

// A server for each step, with what it was asked for. A player seeks in ranges; for transcripts it knows none.
const given = async () => {
  const asked = [];
  const served = { below: "/blog", hasRanges: (file) => file.endsWith(".wav"), asked };
  return { asked, corpusBase: await serve(corpus, served), base: await serve(out, served) };
};
// How long a page takes until it uses the entry depends on the machine.
const late = /was preloaded using link preload but not used within a few seconds/;
run(steps, given, { workers: 2, options: { viewport: { width: 1000, height: 700 } }, always: [late] });
