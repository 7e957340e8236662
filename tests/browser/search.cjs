// Looks at the search of a built site through a browser, behind a server that knows nothing but files.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/search.cjs <feedwright> [<screenshots>]
//
// Where axe-core is there too, the dialog and the page are held to it. Writes to a temporary folder, listens on
// 127.0.0.1 and ends what it started.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const zlib = require("node:zlib");
const { chromium } = require("playwright-core");
const { build, fault, idOf, rows } = require("../search/fixture.cjs");
const { axe, silence } = require("./common.cjs");

const [feedwright, screenshots] = process.argv.slice(2);

// The corpus of the table, with a player, with a query of many results, and with a long title.
const withMore = (site) => {
  const items = path.join(site, "content/items");
  const talk = path.join(items, "talk/index.md");
  fs.writeFileSync(path.join(items, "talk/talk.wav"), silence());
  fs.writeFileSync(talk, fs.readFileSync(talk, "utf8").replace("\n[podcast]", '\nattachment = "talk.wav"\n[podcast]'));
  for (let n = 0; n < 25; n += 1) {
    fs.writeFileSync(path.join(items, `many-${n}.md`), `+++\ntitle = "Harbour ${n}"\nslug = "many-${n}"\n+++\n${"A harbour, and boats. ".repeat(n + 1)}\n`);
  }
  fs.writeFileSync(path.join(items, "long.md"), `+++\ntitle = "${"Lengthy ".repeat(1250)}"\nslug = "long"\n+++\nText.\n`);
  fs.writeFileSync(path.join(items, "unbroken.md"), `+++\ntitle = "${"Unbroken".repeat(1250)}"\nslug = "unbroken"\n+++\n${"unbroken".repeat(400)}\n`);
};

const corpus = build(feedwright);
const out = build(feedwright, withMore);

const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".wav": "audio/wav" };
const policy = "default-src 'self'; img-src 'self' data:; base-uri 'none'; object-src 'none'";
const asked = [];
const server = (folder) => http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname.replace(/^\/blog/, ""));
  asked.push(name);
  const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
  const found = fs.existsSync(file);
  const body = found ? fs.readFileSync(file) : Buffer.from("Not found");
  const headers = { "content-type": types[path.extname(file)] ?? "application/octet-stream", "content-security-policy": policy };
  // A player seeks in ranges; for transcripts this server knows none.
  const range = file.endsWith(".wav") && /^bytes=(\d+)-(\d*)$/.exec(request.headers.range);
  if (!range) return response.writeHead(found ? 200 : 404, { ...headers, "accept-ranges": "none" }).end(body);
  const [from, to] = [Number(range[1]), range[2] ? Number(range[2]) : body.length - 1];
  response.writeHead(206, { ...headers, "content-range": `bytes ${from}-${to}/${body.length}` }).end(body.subarray(from, to + 1));
});

const shoot = (page, name) => screenshots && page.screenshot({ path: path.join(screenshots, `${name}.png`) });
const titles = (page, within = "main") => page.locator(`${within} .mf-public-search-result__title`).allTextContents();
const status = (page, words, within = "main") => page.locator(`${within} [role=status]`).filter({ hasText: words }).waitFor();
const accessible = async (page, name) => {
  if (!axe) return;
  const { violations } = await page.evaluate(`${axe}; axe.run()`);
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], name);
};

// The ids that a query finds on the page, in order, those of similar words too.
const find = async (page, base, query) => {
  await page.goto(`${base}/search/?q=${encodeURIComponent(query)}`);
  await status(page, /result/i);
  const more = page.locator("main .mf-public-search-more:not([hidden])");
  for (let clicks = 0; (await more.count()) && clicks < 3; clicks += 1) {
    await page.evaluate(() => (document.querySelector("main [role=status]").textContent = ""));
    await more.click();
    await status(page, /result/i);
  }
  const addresses = await page.locator("main .mf-public-search-result").evaluateAll((links) => links.map(({ href }) => href));
  return addresses.map((address) => idOf(address.slice(base.length + 1)));
};

const steps = {
  // In many tabs, as each waits until its status is told.
  async "queries find what the table says"({ context, corpusBase, complaints }) {
    const left = [...rows];
    const faults = [];
    const tab = async () => {
      const page = await context.newPage();
      listen(page, complaints);
      for (let row; (row = left.pop()); ) faults.push(fault(row, await find(page, corpusBase, row.query)));
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
    await page.keyboard.type("kubernetes");
    await status(page, "2 results", "dialog");
    assert.deepEqual(await titles(page, "dialog"), ["Kubernetes for one", "Something else"]);
    await page.locator("dialog mark", { hasText: "kubernetes" }).first().waitFor();
    await shoot(page, "search-dialog");
    await accessible(page, "dialog");
    await page.keyboard.press("Escape");
    await page.locator("dialog:not([open])").waitFor({ state: "attached" });
    await page.keyboard.press("/");
    await page.keyboard.type("kubernetes");
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

  async "typos are looked for when nothing else is found, or when they are asked for"({ page, base }) {
    const titlesAsked = () => asked.filter((name) => name.startsWith("/search/index/"));
    asked.length = 0;
    await page.goto(`${base}/search/?q=kubernetes`);
    await status(page, "2 results");
    const before = titlesAsked().length;
    const more = page.locator("main .mf-public-search-more");
    assert.equal(await more.textContent(), "Results for similar words");
    await more.click();
    await more.waitFor({ state: "hidden" });
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

  async "the search page alone names the entry, and it is fetched once"({ page, base }) {
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
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/i\/many-/);
    await page.goBack();
    await status(page, "25 results");
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

  async "after it was loaded it works offline, and says where it cannot"({ page, base, context, complaints }) {
    await page.goto(`${base}/search/?q=harbour`);
    await status(page, "25 results");
    await context.setOffline(true);
    await page.fill("main input", "harbou");
    await status(page, "25 results");
    await page.goto(`${base}/`).catch(() => {});
    await context.setOffline(false);
    await page.goto(`${base}/search/`);
    await context.setOffline(true);
    await page.fill("main input", "harbour");
    await status(page, "cannot be reached");
    await context.setOffline(false);
    await page.fill("main input", "harbou");
    await status(page, "25 results");
    complaints.length = 0;
  },

  async "an index that is missing, old or broken is told apart"({ page, base, complaints }) {
    const entry = path.join(out, "search/index/entry.bin");
    const whole = fs.readFileSync(entry);
    for (const [content, said] of [
      [undefined, "is missing"],
      [zlib.deflateRawSync('{"version":99}'), "another version"],
      [whole.subarray(0, 20), "is broken"],
    ]) {
      if (content) fs.writeFileSync(entry, content);
      else fs.rmSync(entry);
      await page.goto(`${base}/search/?q=harbour`);
      await status(page, said);
    }
    fs.writeFileSync(entry, whole);
    complaints.length = 0;
  },

  async "without JavaScript the page says so, and offers the archive"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/search/`);
    assert.match(await page.locator("noscript p").textContent(), /needs JavaScript/);
    await page.locator("noscript a").click();
    await page.waitForURL(`${base}/archive/`);
    await context.close();
  },

  async "a key cancels what the new query does not need"({ page, base }) {
    const cancelled = [];
    page.on("requestfailed", (request) => cancelled.push(request.url()));
    await page.goto(`${base}/search/`);
    await page.route("**/item.json", (route) => setTimeout(() => route.continue().catch(() => {}), 1000));
    const isAsked = () => page.waitForRequest(/item\.json$/);
    let texts = isAsked();
    await page.fill("main input", '"exact words"');
    const needed = (await texts).url();
    asked.length = 0;
    await page.fill("main input", '"exact words" here');
    await status(page, "1 result");
    assert.deepEqual(cancelled, []);
    assert.equal(asked.filter((name) => needed.endsWith(name)).length, 1, "what both need is fetched once");
    texts = isAsked();
    await page.fill("main input", '"tokyo coffee"');
    const left = (await texts).url();
    await page.fill("main input", "harbour");
    await status(page, "25 results");
    assert.ok(cancelled.includes(left), `${cancelled}`);
  },

  async "fast typing leaves only what it needs"({ page, base }) {
    await page.goto(`${base}/`);
    await page.keyboard.press("/");
    asked.length = 0;
    await page.keyboard.type("harbour 1", { delay: 5 });
    await page.locator("dialog .mf-public-search-result").first().waitFor();
    const names = asked.filter((name) => name.startsWith("/search/"));
    assert.equal(new Set(names).size, names.length, `nothing is fetched twice: ${names}`);
  },
};

const listen = (page, complaints) => {
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
};

(async () => {
  const servers = [corpus, out].map(server);
  await Promise.all(servers.map((one) => new Promise((done) => one.listen(0, "127.0.0.1", done))));
  const [corpusBase, base] = servers.map((one) => `http://127.0.0.1:${one.address().port}/blog`);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const [name, step] of Object.entries(steps)) {
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
      context.setDefaultTimeout(10000);
      const page = await context.newPage();
      const complaints = [];
      listen(page, complaints);
      await step({ browser, context, page, base, corpusBase, complaints });
      assert.deepEqual(complaints, [], name);
      await context.close();
      console.log(`ok: ${name}`);
    }
  } finally {
    await browser.close();
    for (const one of servers) {
      one.close();
      one.closeAllConnections();
    }
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
