// What the tests of the editor share: a small site that is served, and a link that signs in.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { feedwright, temporaryFolder, until } = require("./common.cjs");

const walk = '+++\nid = "walk"\nslug = "walk"\ntitle = "A walk" # by the sea\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was **late**.\n';
const draft = '---\nid: fog\nslug: fog\ntitle: Fog\nstatus: unpublished\n---\nGrey.\n';

const sites = [];
// A site that is served, and a link that signs in.
const given = async () => {
  const site = path.join(temporaryFolder(), "site");
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
    fs.writeFileSync(path.join(site, name), text);
  };
  write("site.toml", 'base_url = "https://walks.example"\n');
  write("content/channel.md", '+++\ntitle = "Walks"\n+++\nBy the sea.\n');
  write("content/items/walk.md", walk);
  write("content/items/fog.md", draft);
  const made = { site, write, read: (name) => fs.readFileSync(path.join(site, name), "utf8") };
  made.start = async (address = "127.0.0.1:0") => {
    made.server = spawn(feedwright, ["serve", "--site", site, "--addr", address], { stdio: ["ignore", "ignore", "pipe"] });
    sites.push(made.server);
    let said = "";
    made.server.stderr.on("data", (text) => (said += text));
    await until(() => /Edit at (\S+)/.test(said), "the server starts");
    made.link = /Edit at (\S+)/.exec(said)[1];
    made.address = new URL(made.link).origin;
  };
  made.stop = async () => {
    made.server.kill("SIGKILL");
    await new Promise((done) => made.server.once("exit", done));
  };
  await made.start();
  return made;
};
process.setMaxListeners(100);

// What a browser says of each preview: its sandbox lets no script run. How often it says so before a step ends is chance.
const ofPreviews = /^Blocked (script execution in '[^']+\/_edit\/preview\/|autofocusing on a <input> element).*sandboxed and the 'allow-scripts'/;
const open = async (page, link, name) => {
  await page.goto(link);
  const [item, body] = [page.locator("tbody a", { hasText: name }).first(), page.locator("#body")];
  // A server that has just started may not list a new file yet.
  await until(async () => {
    await body.or(page.locator("tbody a")).first().waitFor();
    if (!(await body.count())) {
      if (!(await item.count())) return page.reload().then(() => false);
      await item.click();
    }
    return body.waitFor().then(() => true);
  }, `${name} opens`);
};
// Opens the menu, if the window is so narrow that the navigation is one.
const openMenu = async (page) => {
  await page.locator("nav:not([hidden])").waitFor({ state: "attached" });
  if (!(await page.locator("nav").isVisible())) await page.getByRole("button", { name: "Menu" }).click();
};
// Goes to a view by the navigation.
const visit = async (page, name) => {
  const link = page.locator("nav").getByRole("link", { name, exact: typeof name === "string" });
  await openMenu(page);
  await link.press("Enter");
};
// Writes at the end of the text.
const writeOn = async (page, words) => {
  await page.locator("#body").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words);
};
const state = (page, words) => page.locator(".state", { hasText: RegExp(`^${words}$`) }).waitFor();
// A server that runs keeps a test from ending.
const end = () => sites.forEach((server) => server.kill("SIGKILL"));

// Where the sources of the editor are.
const app = path.join(__dirname, "../../src/api/editor/app");
// Lets a page import one of the editor's modules, which it has in one file: `import("/_edit/app/server.js")`.
const withModules = (page) =>
  page.route("**/_edit/app/*.js", (route) => route.fulfill({ path: path.join(app, path.basename(new URL(route.request().url()).pathname)), contentType: "text/javascript" }));

module.exports = { draft, end, given, ofPreviews, open, openMenu, state, visit, walk, withModules, writeOn };
