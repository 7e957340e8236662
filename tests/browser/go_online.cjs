// Publishes from the editor without knowing git: the setup of a new site, one button for all changes, and what a person
// can do when a step fails.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/go_online.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, expectConsole, handled, run, shoot, until } = require("./common.cjs");
const { ofPreviews, visit } = require("./editor_site.cjs");
const { empty, end, given, open, part, tide, walk } = require("./publish_site.cjs");

const read = (...names) => fs.readFileSync(path.join(...names), "utf8");
const out = (remote, ...words) => spawnSync("git", ["-C", remote, ...words], { encoding: "utf8" }).stdout.trim();
const top = (page) => part(page, "Publish the site");
const publishButton = (page) => top(page).getByRole("button", { name: /^(Publish|Store)/ });
const isOnline = (page) => top(page).getByText(/^Online at https/).waitFor();
// The steps with their states, as they are shown.
const stepsIn = (page) => page.locator(".steps li").evaluateAll((all) => all.map((one) => one.className));
// Fills in the setup of a new site.
const fill = async (page, fields) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("heading", { name: "This will be written" }).waitFor();
};
const ada = { "Your name, for the history": "Ada", "Your email, for the history": "ada@walks.example" };
const setUp = async (page, name, fields) => {
  await page.getByRole("radio", { name }).check();
  await fill(page, fields);
  await page.getByRole("button", { name: "Set up and test" }).click();
};
// Writes files and waits until the view lists them.
const listed = async (page, words) => {
  await until(async () => {
    await page.reload();
    await publishButton(page).waitFor();
    return (await publishButton(page).innerText()) === words;
  }, words);
};
// A commit of somebody else at the remote.
const elsewhere = (made, name, text) => {
  const other = path.join(made.folder, "other");
  if (!fs.existsSync(other)) made.gitAt(made.folder, "clone", "--quiet", made.remote, other);
  made.gitAt(other, "pull", "--quiet");
  fs.mkdirSync(path.dirname(path.join(other, name)), { recursive: true });
  fs.writeFileSync(path.join(other, name), text);
  made.gitAt(other, "add", "-A");
  made.gitAt(other, "commit", "--quiet", "-m", "Theirs");
  made.gitAt(other, "push", "--quiet");
};

const steps = {
  "a new site is online in a folder after six actions": async ({ page }) => {
    const made = await empty();
    await open(page, made.link, "");
    await page.getByRole("link", { name: "Choose where your site should live" }).waitFor();
    const before = read(made.site, "site.toml");
    let actions = 0;
    const act = (deed) => ((actions += 1), deed);
    await act(page.getByRole("link", { name: "Choose where your site should live" }).click());
    await act(page.getByRole("radio", { name: "A folder on this computer" }).check());
    for (const [label, value] of [["Folder", "../out"], ["Web address of your site", "https://walks.example"]]) await act(page.getByLabel(label, { exact: true }).fill(value));
    await page.getByText("+ to = \"folder:../out\"").waitFor();
    assert.equal(read(made.site, "site.toml"), before, "nothing is written before it is shown");
    await act(page.getByRole("button", { name: "Set up and test" }).click());
    await page.getByText(/^Ready: the test found nothing wrong\. \d+ files will be sent\.$/).waitFor();
    // An edit changes its lines alone.
    assert.equal(read(made.site, "site.toml").replace("https://walks.example", "https://example.com").replace(/\n*\[deploy\]\nto = "folder:\.\.\/out"\n/, "\n"), before);
    assert.equal(made.git("log", "--format=%s by %an"), "First version of the site by My site");
    assert.ok(!fs.existsSync(path.join(made.out, "index.html")), "a test sends nothing");
    await shoot(page, "go-online-ready", { fullPage: true });
    await act(page.getByRole("button", { name: "Publish your site" }).click());
    await isOnline(page);
    assert.equal(actions, 6);
    assert.ok(fs.existsSync(path.join(made.out, "index.html")));
    await top(page).getByRole("heading", { name: "Everything is published" }).waitFor();
  },

  "one change is online after two actions, and home says so": async ({ page, link, write, git, out: folder, remote }) => {
    await open(page, link);
    await publishButton(page).click();
    await isOnline(page);
    write("content/items/walk.md", walk.replace("late", "early"));
    write("content/items/tide.md", tide);
    write("content/items/fog.md", tide.replaceAll("tide", "fog").replace("Low fog", "Fog").replace("+++\nMud", 'status = "unpublished"\n+++\nMud'));
    await until(async () => {
      await page.evaluate(() => (location.hash = "#/"));
      await page.reload();
      await page.getByText("Last published").waitFor();
      return page.getByRole("link", { name: "Not published yet: 1 new post, 1 corrected post" }).count();
    }, "home lists the changes");
    await page.getByRole("link", { name: "Not published yet: 1 new post, 1 corrected post" }).click();
    // The draft is listed, and said to stay one.
    await top(page).getByText("Fog", { exact: true }).waitFor();
    await top(page).getByText(/stays invisible on the site/).waitFor();
    await top(page).locator("summary", { hasText: "1 file" }).first().click();
    await top(page).getByText("+ Mud.").first().waitFor();
    await top(page).getByText("Details").click();
    assert.equal(await page.getByLabel("Note for the history").inputValue(), "Add Low tide and 2 more");
    await page.getByLabel("Note for the history").fill("Early ferries");
    await shoot(page, "go-online-changes", { fullPage: true });
    await publishButton(page).click();
    await isOnline(page);
    assert.deepEqual(await stepsIn(page), ["done", "done", "done"]);
    assert.match(read(folder, "i/walk/index.html"), /<strong>early/);
    assert.equal(git("log", "-1", "--format=%s"), "Early ferries");
    assert.equal(out(remote, "rev-parse", "main"), git("rev-parse", "HEAD"));
    assert.ok(!fs.existsSync(path.join(folder, "i/fog/index.html")));
    await visit(page, "Home");
    await page.getByText("All changes are published").waitFor();
    await page.locator(".facts time").waitFor();
    // A deploy in a terminal is known, too.
    fs.rmSync(path.join(folder, "../site/.feedwright/last-deploy.json"));
    await page.reload();
    await page.getByRole("link", { name: "Ready to publish for the first time" }).waitFor();
    assert.equal(spawnSync(process.argv[2], ["deploy", "--site", path.join(folder, "../site")]).status, 0);
    await page.reload();
    await page.getByText("Last published").waitFor();
  },

  "a repository is set up, tested and used": async ({ page }) => {
    const made = await empty();
    await open(page, made.link);
    await page.getByRole("radio", { name: "GitHub Pages" }).check();
    // An address with a password is refused, and not written.
    await fill(page, { "Address of the repository": "git@github.com:ada/walks.git", ...ada });
    assert.equal(await page.getByLabel("Web address of your site").inputValue(), "https://ada.github.io/walks");
    await page.getByLabel("Address of the repository").fill("https://ada:hush@github.com/ada/walks.git");
    await page.getByText("without a password").waitFor();
    assert.ok(await page.getByRole("button", { name: "Set up and test" }).isDisabled());
    // One that does not exist.
    await setUp(page, "GitHub Pages", { "Address of the repository": `${made.remote}x`, "Web address of your site": "https://walks.example" });
    await page.getByText("Nothing was pushed: the repository does not exist").waitFor();
    assert.deepEqual(await stepsIn(page), ["done", "done", "failed", "waiting"]);
    await shoot(page, "go-online-no-repository", { fullPage: true });
    await page.getByRole("button", { name: "Test again" }).click();
    await until(async () => JSON.stringify(await stepsIn(page)) === '["failed","waiting"]', "it is tested again");
    // Only then has the test ended: until it has, no other one begins.
    await page.getByText("Nothing was pushed: the repository does not exist").waitFor();
    // The address is corrected. The old form is gone at once: what is typed into it would be lost.
    let answer;
    const held = new Promise((done) => { answer = done; });
    await page.route(/setup-state/, async (route) => { await held; await route.continue(); });
    await page.getByRole("button", { name: "Change the settings" }).click();
    await top(page).getByText("Looking for changes").waitFor();
    assert.equal(await page.getByLabel("Address of the repository").count(), 0);
    // The answer for the old address arrives after the new one was typed. The old address must not be set up.
    let compute;
    const late = new Promise((done) => { compute = done; });
    await page.route(/setup-preview/, async (route) => { await late; await route.continue(); }, { times: 1 });
    const asked = page.waitForRequest(/setup-preview/);
    answer();
    await asked;
    await page.getByLabel("Address of the repository").fill(made.remote);
    compute();
    await page.getByRole("button", { name: "Set up and test" }).click();
    await page.getByText(/^Ready: the test/).waitFor();
    await page.getByRole("button", { name: "Publish your site" }).click();
    await page.getByText("Your host shows it within a few minutes").waitFor();
    await page.getByText("choose the branch gh-pages").waitFor();
    assert.match(out(made.remote, "show", "gh-pages:index.html"), /<!doctype html>/i);
    assert.equal(out(made.remote, "rev-parse", "main"), made.git("rev-parse", "HEAD"));
    assert.match(read(made.site, "site.toml"), /\ntargets = \["github-pages"\]\n/);
    assert.equal(made.git("rev-parse", "--abbrev-ref", "main@{upstream}"), "origin/main");
    assert.ok(!read(made.site, ".git/config").includes("hush"));
    assert.equal(made.git("log", "-1", "--format=%an %ae"), "Ada ada@walks.example");
    expectConsole(page, /status of 400/);
  },

  "a host that builds from the repository gets a push": async ({ page }) => {
    const made = await empty();
    fs.mkdirSync(path.join(made.site, ".github/workflows"), { recursive: true });
    await open(page, made.link);
    await page.getByRole("radio", { name: "GitHub Pages" }).check();
    await page.getByLabel(/^Let GitHub publish/).check();
    await fill(page, { "Address of the repository": made.remote, "Web address of your site": "https://walks.example", ...ada });
    await page.getByText(".github/workflows/publish.yml (new)").waitFor();
    await page.getByText("Set the variable FEEDWRIGHT_WHEEL").or(page.getByText("set the variable FEEDWRIGHT_WHEEL")).waitFor();
    // A file that appeared meanwhile stays as it is.
    made.write(".github/workflows/publish.yml", "on:\n  schedule:\n    - cron: '0 9 * * 5'\njobs: { publish: { steps: [{ run: feedwright deploy }] } }\n");
    await page.getByRole("button", { name: "Set up and test" }).click();
    await page.getByText(/^Ready: the test/).waitFor();
    assert.match(read(made.site, ".github/workflows/publish.yml"), /^on:\n {2}schedule/);
    await page.getByRole("button", { name: "Publish your site" }).click();
    await page.getByText(/^Sent\. Your workflow publishes it on Friday/).waitFor();
    assert.deepEqual(await stepsIn(page), ["done"]);
    assert.equal(out(made.remote, "log", "--format=%s", "main"), "First version of the site");
    // The document says when its changes are online.
    await page.evaluate(() => (location.hash = "#/open/content/items/hello.md"));
    await page.getByText(/^Sent to your host: goes online with the next deploy by your workflow on Friday/).waitFor();
    await page.locator("#body").press("End");
    await page.locator("#body").pressSequentially("!");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved; goes online with the next publishing and then the next deploy by your workflow on Friday/).waitFor();
    await page.getByRole("button", { name: "Visibility" }).click();
    await page.getByLabel("Readers see it from").fill("2126-01-01T09:00");
    await page.getByText(/^Goes online with the next deploy by your workflow on Friday, .*2126/).waitFor();
    made.write(".github/workflows/publish.yml", "on: [push]\njobs: { publish: { steps: [{ run: feedwright deploy }] } }\n");
    await visit(page, /^Publish/);
    await publishButton(page).click();
    await page.getByText("Your host builds it now: usually online within a few minutes", { exact: false }).waitFor();
  },

  "the document says whether it is online": async ({ page, link, address }) => {
    await open(page, link);
    await page.evaluate(() => (location.hash = "#/open/content/items/walk.md"));
    const says = (words) => page.locator(".visibility", { hasText: words }).waitFor();
    await says("Saved; goes online with the next publishing.");
    await page.evaluate(() => (location.hash = "#/publish"));
    await publishButton(page).click();
    await isOnline(page);
    await page.goto(`${address}/_edit/#/open/content/items/walk.md`);
    await says(/^Online\.$/);
    await page.locator("#body").press("End");
    await page.locator("#body").pressSequentially(" On time.");
    // A text that is only in this browser is named.
    await page.evaluate(() => (location.hash = "#/publish"));
    await page.getByText("Unsaved changes, which are not included: A walk").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await says("Saved; goes online with the next publishing.");
  },

  "a late answer about the file keeps the publish form open": async ({ page, link, write, site }) => {
    write("content/items/fog.md", tide.replaceAll("tide", "fog").replace("+++\nMud", 'status = "unpublished"\n+++\nMud'));
    await open(page, link);
    await page.evaluate(() => (location.hash = "#/open/content/items/fog.md"));
    await page.locator("#body").waitFor();
    let [asked, release] = [false, null];
    const gate = new Promise((done) => (release = done));
    await page.route("**/api/open", async (route) => {
      const response = await route.fetch();
      asked = true;
      await gate;
      await route.fulfill({ response });
    });
    await until(() => asked, "the file is asked for");
    await page.locator("#body").press("Control+End");
    await page.locator("#body").pressSequentially("Grey.");
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await until(() => read(site, "content/items/fog.md").includes("Grey."), "the draft is saved");
    await page.locator(".state", { hasText: /^Saved$/ }).waitFor();
    release();
    await handled(page);
    await page.getByRole("button", { name: "Publish now" }).waitFor();
    assert.match(await page.locator("#body").inputValue(), /^Mud\.\s+Grey\.|Mud\.\n?Grey\./);
  },

  "a step that fails is named, and pressing again continues": async ({ page, link, write, git, hook, out: folder, remote }) => {
    await open(page, link);
    await publishButton(page).click();
    await isOnline(page);
    write("content/items/walk.md", walk.replace("late", "early"));
    await listed(page, "Publish 1 corrected post");
    hook("pre-push", "echo 'too late today' >&2; exit 1");
    await publishButton(page).click();
    await page.getByText("too late today").waitFor();
    assert.deepEqual(await stepsIn(page), ["done", "failed", "waiting"]);
    await page.getByText("Nothing is lost.").waitFor();
    assert.doesNotMatch(read(folder, "i/walk/index.html"), /early/);
    // The list still has what is not online.
    hook("pre-push", "true");
    fs.rmSync(folder, { recursive: true });
    fs.writeFileSync(folder, "a file");
    await publishButton(page).click();
    await until(async () => JSON.stringify(await stepsIn(page)) === '["done","failed"]', "the deploy fails");
    await page.getByText("Nothing is lost.").waitFor();
    assert.equal(out(remote, "rev-parse", "main"), git("rev-parse", "HEAD"));
    await shoot(page, "go-online-failed", { fullPage: true });
    fs.rmSync(folder);
    assert.equal(await publishButton(page).innerText(), "Publish 1 corrected post");
    await publishButton(page).click();
    await isOnline(page);
    assert.deepEqual(await stepsIn(page), ["done"]);
    assert.equal(git("rev-list", "--count", "HEAD"), "2");
    assert.match(read(folder, "i/walk/index.html"), /early/);
  },

  "changes from elsewhere are combined, or published without them": async (made) => {
    const { page, link, write, git, out: folder, remote } = made;
    await open(page, link);
    await publishButton(page).click();
    await isOnline(page);
    elsewhere(made, "content/items/tide.md", tide);
    write("content/items/walk.md", walk.replace("late", "early"));
    await listed(page, "Publish 1 corrected post");
    await publishButton(page).click();
    await page.getByText("The site was changed elsewhere").waitFor();
    await page.getByText("For a helper, in a terminal").press("Enter");
    await page.getByText("git pull --rebase").waitFor();
    await accessible(page, "elsewhere");
    await shoot(page, "go-online-elsewhere", { fullPage: true });
    await page.getByRole("button", { name: "Publish without them" }).click();
    await isOnline(page);
    assert.match(read(folder, "i/walk/index.html"), /early/);
    assert.ok(!fs.existsSync(path.join(folder, "i/low-tide/index.html")));
    await page.reload();
    await publishButton(page).click();
    await page.getByRole("button", { name: "Get these changes first" }).click();
    await page.getByText("This computer has all changes now").waitFor();
    await listed(page, "Publish 1 new post");
    await publishButton(page).click();
    await isOnline(page);
    assert.ok(fs.existsSync(path.join(folder, "i/low-tide/index.html")));
    assert.equal(out(remote, "rev-parse", "main"), git("rev-parse", "HEAD"));
    // Both changed the same line: nothing changes here.
    elsewhere(made, "content/items/walk.md", walk.replace("late", "sunk"));
    write("content/items/walk.md", walk.replace("late", "gone"));
    await listed(page, "Publish 1 corrected post");
    await publishButton(page).click();
    await page.getByRole("button", { name: "Get these changes first" }).click();
    await page.getByText("Both versions changed the same lines").waitFor();
    assert.match(read(folder, "../site/content/items/walk.md"), /gone/);
    assert.equal(git("status", "--porcelain"), "");
    assert.ok(!fs.existsSync(path.join(folder, "../site/.git/MERGE_HEAD")));
  },

  "only what was shown is published, and errors stop it": async ({ page, link, write, git, address }) => {
    await open(page, link);
    write("content/items/walk.md", walk.replace("late", "early"));
    await listed(page, "Publish your site");
    write("content/items/walk.md", walk.replace("late", "gone"));
    await publishButton(page).click();
    await page.getByText("look at the new list").waitFor();
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
    expectConsole(page, /status of 409/);
    write("content/items/bad.md", '+++\nid = "bad"\ntitle = "Bad"\ndate_published = "soon"\n+++\n');
    await until(async () => {
      await page.goto(`${address}/_edit/#/publish`);
      await page.reload();
      await publishButton(page).waitFor();
      return publishButton(page).isDisabled();
    }, "the error is known");
    await page.getByText("1 error in the site prevents publishing").waitFor();
    await page.getByRole("link", { name: "see Problems" }).click();
    await page.getByRole("heading", { name: "Problems" }).waitFor();
  },

  "a missing token is named, and a new place is chosen": async ({ page, link, site }) => {
    await open(page, link);
    await top(page).getByText("Details").click();
    await page.getByRole("button", { name: "Change where the site lives" }).click();
    await page.getByRole("radio", { name: "Netlify" }).check();
    await page.getByLabel("Name of the site at Netlify").fill("walks");
    await page.getByText('+ to = "netlify:walks"').waitFor();
    await page.getByRole("button", { name: "Set up and test" }).click();
    await page.getByText("start it with NETLIFY_AUTH_TOKEN").waitFor();
    await page.getByText('export NETLIFY_AUTH_TOKEN="…"').first().waitFor();
    assert.match(read(site, "site.toml"), /^base_url = "https:\/\/walks.example"\n\[deploy\]\nto = "netlify:walks"\n/);
    await page.getByRole("button", { name: "Change the settings" }).click();
    await page.getByRole("radio", { name: "A bucket (S3)" }).check();
    await page.getByLabel("Name of the bucket").fill("a");
    await page.getByLabel("Region").fill("eu-central-1");
    await page.getByText("This destination is not valid").waitFor();
    await page.getByRole("radio", { name: "Your own server" }).check();
    await page.getByLabel("User and server").fill("ada@walks.example");
    await page.getByLabel("Folder on the server").fill("/srv/www/walks");
    await page.getByText('+ to = "rsync:ada@walks.example:/srv/www/walks"').waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await publishButton(page).waitFor();
    expectConsole(page, /status of 400/);
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link, write }) => {
    const made = await empty();
    const check = async (name) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1440, 768, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${name}: ${wide} of ${width} pixels`);
          await accessible(page, `${name} ${colorScheme} ${width}`);
          await shoot(page, `${name}-${colorScheme}-${width}`, { fullPage: true });
        }
      }
      for (const box of await top(page).locator("button:visible, .host:visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))) assert.ok(box >= 44, `${box} pixels`);
    };
    await open(page, made.link);
    // By keyboard.
    await page.getByRole("radio", { name: "GitHub Pages" }).focus();
    await page.keyboard.press("Space");
    await fill(page, { "Address of the repository": "git@github.com:ada/walks.git", ...ada });
    await check("go-online-setup");
    await open(page, link);
    await publishButton(page).press("Enter");
    await isOnline(page);
    write("content/items/tide.md", tide);
    await listed(page, "Publish 1 new post");
    await top(page).getByText("Details").click();
    await top(page).locator("summary").first().click();
    await check("go-online-summary");
  },
};

run(steps, given, { workers: 2, always: [ofPreviews] }).finally(end);
