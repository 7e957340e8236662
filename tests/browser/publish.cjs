// Publishes from the editor: what is shown is what is committed, pushed and deployed, and what refuses is heard.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/publish.cjs <feedwright> [<folder for pictures>]
//
// With EDITOR_FILES=<folder>, the page's files are read from there, and not from the program.
"use strict";

const assert = require("node:assert/strict");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, feedwright, run, shoot, temporaryFolder, until } = require("./common.cjs");

const walk = '+++\nid = "walk"\nslug = "walk"\ntitle = "A walk"\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was **late**.\n';
const tide = '+++\nid = "tide"\nslug = "low-tide"\ntitle = "Low tide"\ndate_published = 2026-01-06T09:00:00Z\n+++\nMud.\n';

const servers = [];
process.setMaxListeners(50);

// A site in a repository, with a remote and a place to deploy to, and a link that signs in.
const given = async () => {
  const folder = temporaryFolder();
  const [site, remote, out] = ["site", "remote.git", "out"].map((name) => path.join(folder, name));
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
    fs.writeFileSync(path.join(site, name), text);
  };
  const git = (...words) => {
    const done = spawnSync("git", ["-C", site, ...words], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout.trim();
  };
  write("site.toml", 'base_url = "https://walks.example"\n[deploy]\nto = "folder:../out"\n');
  write(".gitignore", "/.feedwright\n/public\n");
  write("content/channel.md", '+++\ntitle = "Walks"\n+++\nBy the sea.\n');
  write("content/items/walk.md", walk);
  assert.equal(spawnSync("git", ["init", "--quiet", "--bare", "-b", "main", remote]).status, 0);
  git("init", "--quiet", "-b", "main");
  for (const [key, value] of [["user.name", "Ada"], ["user.email", "ada@walks.example"], ["commit.gpgsign", "false"], ["core.hooksPath", ".git/hooks"]]) git("config", key, value);
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
  git("remote", "add", "origin", remote);
  git("push", "--quiet", "-u", "origin", "main");
  const hook = (name, script) => fs.writeFileSync(path.join(site, ".git/hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  fs.mkdirSync(path.join(site, ".git/hooks"), { recursive: true });
  const made = { site, out, write, git, hook, remote };
  made.start = async (address = "127.0.0.1:0") => {
    const server = spawn(feedwright, ["serve", "--site", site, "--addr", address], { stdio: ["ignore", "ignore", "pipe"] });
    servers.push((made.server = server));
    let said = "";
    server.stderr.on("data", (text) => (said += text));
    await until(() => /Edit at (\S+)/.test(said), "the server starts");
    made.link = /Edit at (\S+)/.exec(said)[1];
    made.address = new URL(made.link).origin;
  };
  await made.start();
  return made;
};

const open = async (page, link, view = "publish") => {
  const own = process.env.EDITOR_FILES;
  if (own) {
    await page.route(/\/_edit\/[\w-]*(\.\w+)?$/, (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-1) || "index.html";
      const types = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };
      route.fulfill({ body: fs.readFileSync(path.join(own, name)), contentType: types[path.extname(name)] });
    });
  }
  await page.goto(link);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate((view) => (location.hash = `#/${view}`), view);
};
const part = (page, name) => page.getByRole("region", { name });
// What a browser says of an answer that refuses.
const quiet = (complaints) => {
  const own = complaints.filter((words) => !/status of (409|404)|ERR_CONNECTION/.test(words));
  complaints.length = 0;
  complaints.push(...own);
};

const steps = {
  "what is shown is committed, pushed and deployed, by keyboard": async ({ page, link, write, git, remote, out }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    write("content/items/tide.md", tide);
    write("notes.txt", "mine");
    await open(page, link);
    const commit = part(page, "Commit to main");
    await commit.getByRole("button", { name: "Commit 2 files" }).waitFor();
    assert.equal(await commit.getByLabel("Message").inputValue(), "Add Low tide and 1 more");
    // What is no part of a site is not chosen by itself.
    assert.equal(await commit.getByLabel("New notes.txt").isChecked(), false);
    await commit.getByLabel("New Low tide").press("Space");
    assert.equal(await commit.getByLabel("Message").inputValue(), "Edit A walk");
    await commit.getByText("content/items/walk.md").press("Enter");
    assert.match(await commit.getByRole("group", { name: "What changes in content/items/walk.md" }).innerText(), /−The ferry was \*\*late\*\*\.\s+\+The ferry was \*\*early\*\*\./);
    await shoot(page, "publish-commit", { fullPage: true });
    await commit.getByRole("button", { name: "Commit 1 file" }).press("Enter");
    await page.getByText(/^Committed 1 file: /).first().waitFor();
    assert.equal(git("log", "-1", "--format=%s", "--name-only"), "Edit A walk\n\ncontent/items/walk.md");
    const push = part(page, "Push to origin/main");
    await push.getByText("Edit A walk").waitFor();
    await push.getByRole("button", { name: "Push 1 commit" }).press("Enter");
    await push.getByText(/^Pushed /).waitFor();
    assert.equal(spawnSync("git", ["-C", remote, "rev-parse", "main"], { encoding: "utf8" }).stdout.trim(), git("rev-parse", "HEAD"));
    const deploy = part(page, "Deploy");
    await deploy.getByRole("button", { name: "Show what it would do" }).press("Enter");
    await deploy.getByText("Nothing was sent yet").waitFor();
    assert.ok(!fs.existsSync(path.join(out, "index.html")));
    await deploy.getByText("i/walk/index.html", { exact: false }).first().waitFor();
    await shoot(page, "publish-plan", { fullPage: true });
    await deploy.getByRole("button", { name: "Deploy", exact: true }).press("Enter");
    await deploy.getByText(/^Published \d+ files at folder:\.\.\/out/).waitFor();
    assert.match(fs.readFileSync(path.join(out, "i/walk/index.html"), "utf8"), /<strong>early<\/strong>/);
    await shoot(page, "publish-done", { fullPage: true });
  },

  "a hook that refuses is heard, and the message stays": async ({ page, link, write, git, hook, complaints }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    hook("pre-commit", "echo '<b>spelling</b>: eerly' >&2; exit 1");
    await open(page, link);
    await page.getByLabel("Message").fill("Say when it came");
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText("<b>spelling</b>: eerly").waitFor();
    assert.equal(await page.getByLabel("Message").inputValue(), "Say when it came");
    await shoot(page, "publish-refused", { fullPage: true });
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
    quiet(complaints);
  },

  "a file that changed since it was shown is shown again": async ({ page, link, write, git, complaints }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    await open(page, link);
    await page.getByRole("button", { name: "Commit 1 file" }).waitFor();
    write("content/items/walk.md", walk.replace("late", "gone"));
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText("look at it again").first().waitFor();
    await page.getByText("content/items/walk.md").first().click();
    await page.getByText("+The ferry was **gone**.").waitFor();
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed 1 file/).first().waitFor();
    quiet(complaints);
  },

  "what takes a while goes on while the page sleeps": async ({ page, context, link, address, site, write, git, hook, complaints }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    hook("pre-commit", "while [ ! -e go ]; do sleep 0.05; done");
    await open(page, link);
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText("The commit is running").waitFor();
    // The phone sleeps, and another window is opened.
    await context.setOffline(true);
    await page.getByText("The server does not answer.").waitFor();
    fs.writeFileSync(path.join(site, "go"), "");
    await until(() => git("rev-list", "--count", "HEAD") === "2", "the commit is made");
    await context.setOffline(false);
    await page.getByText(/^Committed 1 file/).first().waitFor();
    const other = await context.newPage();
    await open(other, `${address}/_edit/`);
    await part(other, "Push to origin/main").getByRole("button", { name: "Push 1 commit" }).waitFor();
    quiet(complaints);
  },

  "what stops it is said before": async ({ page, link, write, complaints }) => {
    write("content/items/bad.md", '+++\nid = "bad"\ntitle = "Bad"\ndate_published = "soon"\n+++\n');
    write("site.toml", 'base_url = "https://walks.example"\n[deploy]\nto = "folder:../out"\n');
    await until(async () => {
      await open(page, link);
      const [stops] = await Promise.all([page.getByText("1 error of the site stops it").waitFor({ timeout: 2000 }).then(() => true, () => false)]);
      link = page.url();
      return stops;
    }, "the error is known");
    const deploy = part(page, "Deploy");
    await deploy.getByRole("button", { name: "Show what it would do" }).click();
    await deploy.getByText("This stops it").waitFor();
    await deploy.getByText("content/items/bad.md").waitFor();
    await shoot(page, "publish-stopped", { fullPage: true });
    quiet(complaints);
  },

  "without a repository and a place to deploy to, it says what to do": async ({ page, link, site, write }) => {
    fs.rmSync(path.join(site, ".git"), { recursive: true });
    write("site.toml", 'base_url = "https://walks.example"\n');
    await open(page, link);
    await page.getByText("The site is in no git repository.").waitFor();
    await page.getByText("git init").waitFor();
    await page.getByText("[deploy]").waitFor();
    await shoot(page, "publish-nothing", { fullPage: true });
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link, write, complaints }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    write("content/items/tide.md", tide);
    write(`content/items/${"long-".repeat(30)}name.md`, tide.replaceAll("tide", "other"));
    await open(page, link);
    await page.getByRole("button", { name: "Show what it would do" }).click();
    await page.getByText("Nothing was sent yet").waitFor();
    for (const summary of await page.locator("summary").all()) if (!(await summary.evaluate((one) => one.parentElement.open))) await summary.click();
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        await accessible(page, `${scheme} ${width}`);
        await shoot(page, `publish-${scheme}-${width}`, { fullPage: true });
      }
    }
    quiet(complaints);
  },
};

run(steps, given, { workers: 2 }).finally(() => servers.forEach((server) => server.kill("SIGKILL")));
