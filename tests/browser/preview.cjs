// Looks at the preview through a browser: pages reload where they are touched and only there, keep
// their place, show errors and marks, and the console stays clean.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/preview.cjs <feedwright> [<screenshots>]
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { GONE, buildInto, expectConsole, feedwright, handled, run, serve: serveFolder, shoot, temporaryFolder, until } = require("./common.cjs");

const site = temporaryFolder();

const write = (file, text) => {
  const full = path.join(site, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
};

const item = (slug, body, front = "") =>
  write(`content/items/${slug}.md`, `+++\ntitle = "Item ${slug}"\nslug = "${slug}"\n${front}+++\n${body}\n`);

const long = (word) => Array.from({ length: 120 }, (_, n) => `Paragraph ${n} of ${word}.`).join("\n\n");

// Starts the server of a site. Answers its process and its address.
const serve = (addr = "127.0.0.1:0", ...more) => serveSite(site, addr, ...more);
const serveSite = (folder, addr, ...more) =>
  new Promise((resolve, reject) => {
    const server = spawn(feedwright, ["serve", "--site", folder, "--addr", addr, ...more]);
    let said = "";
    server.stderr.on("data", (data) => {
      said += data;
      const found = /Serving (\S+)\/ /.exec(said);
      if (found) resolve({ server, url: found[1], said: () => said });
    });
    server.on("exit", () => reject(new Error(`the server ended: ${said}`)));
  });

// Opens a page, as soon as the server has seen the file that it is made of, and counts how often it loads.
const open = async (context, url) => {
  await until(async () => (await fetch(url, { method: "HEAD" })).ok, url);
  const page = await context.newPage();
  const opened = { page, loads: 0 };
  page.on("load", () => (opened.loads += 1));
  await page.goto(url);
  return opened;
};

const text = (page, words) => page.getByText(words).first().waitFor();

const steps = {
  async "a site without items tells its author how to make the first one"({ page }) {
    const empty = temporaryFolder();
    fs.writeFileSync(path.join(empty, "site.toml"), 'base_url = "https://example.com"\n');
    fs.mkdirSync(path.join(empty, "content/items"), { recursive: true });
    fs.writeFileSync(path.join(empty, "content/channel.md"), '+++\ntitle = "New"\n+++\nText.\n');
    const { server, url } = await serveSite(empty, "127.0.0.1:0");
    expectConsole(page, GONE, "any");
    await page.goto(`${url}/`);
    await page.getByText('feedwright new item "First post"').waitFor();
    await shoot(page, "first");
    fs.writeFileSync(path.join(empty, "content/items/a.md"), '+++\ntitle = "The first"\n+++\nText.\n');
    await page.getByRole("link", { name: "The first" }).waitFor();
    assert.equal(await page.locator("feedwright-first").count(), 0);
    server.kill();
  },

  async "a saved file is shown, where it was scrolled to"({ context, url }) {
    const a = await open(context, `${url}/i/a/`);
    const b = await open(context, `${url}/i/b/`);
    await a.page.bringToFront();
    await a.page.evaluate(() => scrollTo({ top: 1200, behavior: "instant" }));
    item("a", `${long("a")}\n\nA new end.`);
    await text(a.page, "A new end.");
    await a.page.waitForFunction(() => scrollY === 1200);
    await b.page.bringToFront();
    item("b", `${long("b")}\n\nA new end.`);
    await text(b.page, "A new end.");
    // The text can be there before the page has loaded.
    await until(() => b.loads >= 2, "b is loaded again");
    assert.equal(b.loads, 2, "a page stays until it is touched itself");
  },

  async "a page whose address changes is followed"({ context, url }) {
    item("leaves", "It leaves.", 'id = "leaver"\n');
    const leaver = await open(context, `${url}/i/leaves/`);
    write(
      "content/items/leaves.md",
      '+++\ntitle = "Item leaves"\nslug = "arrives"\nid = "leaver"\n+++\nIt has arrived.\n',
    );
    // Not waitForURL, which fails if the page is loaded once more meanwhile.
    await leaver.page.waitForFunction(() => location.pathname === "/i/arrives/");
    await text(leaver.page, "It has arrived.");
  },

  async "an error lies over the last good version until it is mended"({ context, url }) {
    const a = await open(context, `${url}/i/a/`);
    const overlay = a.page.locator("feedwright-faults");
    write("content/items/a.md", '+++\ntitle = "Item a\n+++\n');
    await overlay.getByText("content/items/a.md:2:").waitFor();
    assert.match(await overlay.locator("pre").innerText(), /error: [^]*\n2 \| title = "Item a\n[^]*\^[^]*help: /);
    await a.page.getByText("Paragraph 0 of a.").first().waitFor();
    await shoot(a.page, "overlay-light");
    await a.page.emulateMedia({ colorScheme: "dark" });
    await shoot(a.page, "overlay-dark");

    await a.page.keyboard.press("Escape");
    await overlay.waitFor({ state: "detached" });
    const events = a.page.waitForResponse(/\/\.feedwright\/events/);
    await a.page.reload();
    await events;
    await handled(a.page);
    assert.equal(await overlay.count(), 0, "what was closed stays closed");
    write("content/items/b.md", "+++\nslug = 1\n+++\n");
    await overlay.getByText("content/items/b.md").waitFor();

    item("a", long("a mended"));
    item("b", "Text.");
    await overlay.waitFor({ state: "detached" });
    await text(a.page, "Paragraph 0 of a mended.");
  },

  async "a theme's policy for content does not break it"({ context, url }) {
    const policy = "default-src 'self'; img-src 'self' data:";
    const header = path.join(__dirname, "../../themes/default");
    fs.cpSync(header, path.join(site, "themes/default"), { recursive: true });
    const slot = fs.readdirSync(path.join(header, "slots")).find((name) => name.includes("header"));
    const before = fs.readFileSync(path.join(header, "slots", slot), "utf8");
    write(`themes/default/slots/${slot}`, `<meta http-equiv="Content-Security-Policy" content="${policy}">\n${before}`);
    const home = await open(context, `${url}/i/b/`);
    await home.page.locator(`meta[content="${policy}"]`).waitFor({ state: "attached" });
    write("content/items/c.md", "+++\nslug = 1\n+++\n");
    await home.page.locator("feedwright-faults").getByText("content/items/c.md").waitFor();
    item("c", "Text.");
    await home.page.locator("feedwright-faults").waitFor({ state: "detached" });
    fs.rmSync(path.join(site, "themes"), { recursive: true });
  },

  async "drafts are marked on their pages and in lists"({ context }) {
    const drafts = await serve("127.0.0.1:0", "--read-only", "--drafts", "--future");
    item("d", "Text.", 'status = "unpublished"\n');
    item("later", "Text.", "date_published = 2999-01-01T00:00:00Z\n");
    const d = await open(context, `${drafts.url}/i/d/`);
    await d.page.locator("feedwright-mark").getByText("Draft", { exact: true }).waitFor();
    await shoot(d.page, "draft");
    const home = await open(context, `${drafts.url}/`);
    await home.page.locator("feedwright-mark").getByTitle("Scheduled for 1 January 2999").waitFor();
    assert.equal(await home.page.locator("feedwright-mark").count(), 2);
    await shoot(home.page, "marks");
    drafts.server.removeAllListeners("exit").kill();
  },

  async "many tabs do not stop one another"({ context, url }) {
    // A browser without a window shows all its tabs; here they are hidden by hand.
    await context.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      window.hide = (now) => {
        hidden = now;
        document.dispatchEvent(new Event("visibilitychange"));
      };
    });
    const tabs = [];
    for (let n = 0; n < 8; n += 1) {
      const tab = await open(context, `${url}/i/b/`);
      await tab.page.evaluate(() => window.hide(true));
      tabs.push(tab);
    }
    item("b", "Seen by all tabs.");
    await until(async () => (await (await fetch(`${url}/i/b/`)).text()).includes("Seen by all tabs."), "it is served");
    for (const tab of tabs) {
      await handled(tab.page);
      assert.equal(tab.loads, 1, "a hidden tab waits until it is shown");
      await tab.page.evaluate(() => window.hide(false));
      await text(tab.page, "Seen by all tabs.");
      await tab.page.evaluate(() => window.hide(true));
    }
  },

  async "the set-up page leads to the site when there is a title"({ context, url }) {
    const channel = fs.readFileSync(path.join(site, "content/channel.md"), "utf8");
    write("content/channel.md", "");
    const page = await open(context, `${url}/`);
    await text(page.page, "content/channel.md");
    assert.equal(new URL(page.page.url()).pathname, "/.feedwright/setup");
    await shoot(page.page, "setup");
    write("content/channel.md", channel);
    await page.page.waitForURL(`${url}/`);
    await page.page.getByRole("link", { name: "Item b" }).first().waitFor();
  },

  async "a search fetches no part of the index twice, however fast one types, and never the feed"({ context, url }) {
    const home = await open(context, `${url}/`);
    const fetched = [];
    home.page.on("request", (request) => fetched.push(request.url()));
    await home.page.keyboard.press("/");
    await home.page.keyboard.type("item b");
    const result = home.page.locator("dialog").getByRole("link", { name: "Item b" });
    await result.waitFor();
    await home.page.keyboard.type(" ");
    await result.waitFor();
    const index = fetched.filter((address) => address.startsWith(`${url}/search/index/`));
    assert.ok(index.includes(`${url}/search/index/entry.bin`));
    assert.deepEqual(index, [...new Set(index)]);
    assert.ok(!fetched.includes(`${url}/feed.json`));
  },

  async "what was built works at any address"({ context }) {
    const out = buildInto(temporaryFolder(), site, { more: ["--base-url", "https://never.example/blog"] });
    const base = await serveFolder(out, { below: "/blog" });
    const home = await open(context, `${base}/`);
    const drawn = (page) => page.evaluate(() => getComputedStyle(document.querySelector(".masthead")).display);
    assert.equal(await drawn(home.page), "flex", "it is styled");
    await home.page.getByRole("link", { name: "Item b" }).first().click();
    await home.page.waitForURL(`${base}/i/b/`);
    await home.page.keyboard.press("/");
    await home.page.keyboard.type("item a");
    await home.page.locator("dialog").getByRole("link", { name: "Item a" }).click();
    await home.page.waitForURL(`${base}/i/a/`);
  },

  async "a server that is started again is found again"({ context }) {
    const first = await serve("127.0.0.1:0", "--read-only");
    const { page } = await open(context, `${first.url}/i/b/`);
    first.server.removeAllListeners("exit");
    const ended = new Promise((resolve) => first.server.once("exit", resolve));
    const start = Date.now();
    first.server.kill("SIGINT");
    await ended;
    assert.ok(Date.now() - start < 10000, "Ctrl+C ends, though a page listens");
    item("b", "Written while nobody served.");
    const again = await serve(new URL(first.url).host, "--read-only");
    await text(page, "Written while nobody served.");
    again.server.removeAllListeners("exit").kill();
    // The address could not be reached for a while.
    expectConsole(page, GONE);
  },
};

(async () => {
  write("site.toml", 'base_url = "https://example.com"\n');
  write("content/channel.md", '+++\ntitle = "A site in a browser"\n+++\n');
  item("a", long("a"));
  item("b", "Text.");
  const main = await serve();
  await run(steps, { url: main.url }, { options: { viewport: { width: 1000, height: 700 } } });
  main.server.removeAllListeners("exit").kill();
})();
