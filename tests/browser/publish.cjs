// Publishes step by step: what is shown is what is committed, pushed and deployed, and what refuses is heard.
// `go_online.cjs` publishes with one button.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/publish.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { accessible, expectConsole, feedwright, run, shoot, silence, until } = require("./common.cjs");
const { visit } = require("./editor_site.cjs");
const { alone, end, given, open: show, part, runs, tide, walk } = require("./publish_site.cjs");

// Opens a view, and in the publish view all steps.
const open = async (page, link, view = "publish") => {
  await show(page, link, view);
  if (view === "publish") await alone(page);
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
    assert.match(await commit.getByRole("group", { name: "Changes in content/items/walk.md" }).innerText(), /− The ferry was \*\*late\*\*\.\s+\+ The ferry was \*\*early\*\*\./);
    await shoot(page, "publish-commit", { fullPage: true });
    await commit.getByRole("button", { name: "Commit 1 file" }).press("Enter");
    await page.getByText(/^Committed 1 file: /).first().waitFor();
    assert.equal(git("log", "-1", "--format=%s", "--name-only"), "Edit A walk\n\ncontent/items/walk.md");
    // Who works by keyboard stands where the answer is.
    await page.waitForFunction(() => document.activeElement.className === "said");
    const push = part(page, "Push to origin/main");
    await push.getByText("Edit A walk").waitFor();
    await push.getByRole("button", { name: "Push 1 commit" }).press("Enter");
    await push.getByText(/^Pushed /).waitFor();
    assert.equal(spawnSync("git", ["-C", remote, "rev-parse", "main"], { encoding: "utf8" }).stdout.trim(), git("rev-parse", "HEAD"));
    const deploy = part(page, "Deploy");
    await deploy.getByRole("button", { name: "Make a plan" }).press("Enter");
    await deploy.getByText("Nothing has been sent yet").waitFor();
    assert.ok(!fs.existsSync(path.join(out, "index.html")));
    await deploy.getByText("i/walk/index.html", { exact: false }).first().waitFor();
    await shoot(page, "publish-plan", { fullPage: true });
    await deploy.getByRole("button", { name: "Deploy", exact: true }).press("Enter");
    await deploy.getByText(/^Deployed \d+ files to folder:\.\.\/out/).waitFor();
    assert.match(fs.readFileSync(path.join(out, "i/walk/index.html"), "utf8"), /<strong>early<\/strong>/);
    await shoot(page, "publish-done", { fullPage: true });
  },

  "a hook that refuses is heard, and the message stays": async ({ page, link, write, git, hook }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    hook("pre-commit", "echo '<b>spelling</b>: eerly' >&2; exit 1");
    await open(page, link);
    await page.getByLabel("Message").fill("Say when it came");
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText("<b>spelling</b>: eerly").waitFor();
    assert.equal(await page.getByLabel("Message").inputValue(), "Say when it came");
    await shoot(page, "publish-refused", { fullPage: true });
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
  },

  "a file that changed since it was shown is shown again": async ({ page, link, write, git }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    await open(page, link);
    await page.getByRole("button", { name: "Commit 1 file" }).waitFor();
    write("content/items/walk.md", walk.replace("late", "gone"));
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText("review it again").first().waitFor();
    await page.getByText("content/items/walk.md").first().click();
    await page.getByText("+ The ferry was **gone**.").waitFor();
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed 1 file/).first().waitFor();
    expectConsole(page, /status of 409/);
  },

  "what takes a while goes on while the page sleeps": async ({ page, context, link, address, site, write, git, hook }) => {
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
    expectConsole(page, /ERR_INTERNET_DISCONNECTED/);
  },

  "what hangs is stopped, and done when it does not hang": async ({ page, link, write, git, hook, site, remote }) => {
    write("site.toml", 'base_url = "https://walks.example"\n[deploy]\nto = "git:origin#pages"\n');
    const hangs = "echo $$ >hanging; while [ -e hanging ]; do sleep 0.1; done";
    hook("pre-commit", hangs);
    await open(page, link);
    const [commit, deploy] = [part(page, "Commit to main"), part(page, "Deploy")];
    await commit.getByRole("button", { name: "Commit 1 file" }).click();
    await until(() => fs.existsSync(path.join(site, "hanging")), "the hook is running");
    await commit.getByRole("button", { name: "Stop" }).press("Enter");
    await commit.getByText("Git was stopped").waitFor();
    await accessible(page, "stopped");
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
    hook("pre-commit", "true");
    await commit.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed 1 file/).first().waitFor();
    // A deploy, too.
    const there = path.join(remote, "hooks/pre-receive");
    fs.mkdirSync(path.dirname(there), { recursive: true });
    fs.writeFileSync(there, `#!/bin/sh\n${hangs}\n`, { mode: 0o755 });
    const begin = async () => {
      await deploy.getByRole("button", { name: "Make a plan" }).click();
      await deploy.getByText("Nothing has been sent yet").waitFor();
      await deploy.getByRole("button", { name: "Deploy", exact: true }).click();
    };
    await begin();
    const hanging = path.join(remote, "hanging");
    await until(() => fs.existsSync(hanging) && fs.readFileSync(hanging, "utf8").endsWith("\n"), "the deploy is running");
    const receiving = Number(fs.readFileSync(hanging, "utf8"));
    await deploy.getByRole("button", { name: "Stop" }).click();
    await deploy.getByText("The deploy was stopped").waitFor();
    // It is stopped with all that it started.
    await until(() => !runs(receiving), "the hook is gone");
    fs.rmSync(hanging);
    assert.notEqual(spawnSync("git", ["-C", remote, "rev-parse", "--verify", "--quiet", "pages"]).status, 0);
    fs.rmSync(there);
    await begin();
    await deploy.getByText(/^Deployed \d+ files to git:origin#pages/).waitFor();
    assert.match(spawnSync("git", ["-C", remote, "show", "pages:i/walk/index.html"], { encoding: "utf8" }).stdout, /<strong>late/);
  },

  "what stops it is said before": async ({ page, address, link, write }) => {
    write("content/items/bad.md", '+++\nid = "bad"\ntitle = "Bad"\ndate_published = "soon"\n+++\n');
    write("site.toml", 'base_url = "https://walks.example"\n[deploy]\nto = "folder:../out"\n');
    await until(async () => {
      await open(page, link);
      const [stops] = await Promise.all([page.getByText("1 error in the site prevents publishing").waitFor({ timeout: 2000 }).then(() => true, () => false)]);
      // With the view behind its # it would not be loaded again.
      link = `${address}/_edit/`;
      return stops;
    }, "the error is known");
    const deploy = part(page, "Deploy");
    await deploy.getByRole("button", { name: "Make a plan" }).click();
    await deploy.getByText("These errors prevent the deploy").waitFor();
    await deploy.getByText("content/items/bad.md").waitFor();
    await shoot(page, "publish-stopped", { fullPage: true });
  },

  "without a repository and a place to deploy to, it says what to do": async ({ page, link, site, write }) => {
    fs.rmSync(path.join(site, ".git"), { recursive: true });
    write("site.toml", 'base_url = "https://walks.example"\n');
    await open(page, link);
    await page.getByText("The site is not in a git repository.").waitFor();
    await page.getByText("git init").waitFor();
    await page.getByText("[deploy]").waitFor();
    await shoot(page, "publish-nothing", { fullPage: true });
    // A site that is a part of a repository: what lies beside it is not listed.
    const around = (...words) => {
      const done = spawnSync("git", ["-C", path.dirname(site), "-c", "user.name=Ada", "-c", "user.email=a@x", "-c", "commit.gpgsign=false", ...words], { encoding: "utf8" });
      assert.equal(done.status, 0, done.stderr);
      return done.stdout.trim();
    };
    around("init", "--quiet", "-b", "main");
    for (const [key, value] of [["user.name", "Ada"], ["user.email", "a@x"], ["commit.gpgsign", "false"]]) around("config", key, value);
    around("add", "site");
    around("commit", "--quiet", "-m", "Begin");
    fs.writeFileSync(path.join(site, "../beside.txt"), "mine");
    around("add", "beside.txt");
    await page.reload();
    await alone(page);
    await page.getByText("Nothing changed since the last commit.").waitFor();
    await page.getByText("this repository has no remote", { exact: false }).waitFor();
    write("content/items/walk.md", walk.replace("late", "early"));
    await page.reload();
    await alone(page);
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed 1 file/).first().waitFor();
    assert.equal(around("log", "-1", "--format=%s", "--name-only"), "Edit A walk\n\nsite/content/items/walk.md");
    assert.equal(around("status", "--porcelain", "beside.txt"), "A  beside.txt");
  },

  "the journal is searched, and a key is shown once and ended": async ({ page, link, address, write }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    await open(page, link);
    await page.getByRole("button", { name: "Commit 1 file" }).click();
    await page.getByText(/^Committed 1 file/).first().waitFor();
    await visit(page, "More");
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByText("There are no keys").waitFor();
    await page.getByRole("button", { name: "Create the key" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("<b>Phone</b>");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Choose at least one permission.").waitFor();
    await page.getByLabel("content:read").press("Space");
    await page.getByRole("button", { name: "Create the key" }).press("Enter");
    const secret = await page.locator(".secret pre").innerText();
    const answers = () => page.request.get(`${address}/api/v1/feed/`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await answers()).status(), 200);
    await shoot(page, "records-key", { fullPage: true });
    await page.reload();
    await page.getByText("<b>Phone</b>").waitFor();
    assert.ok(!(await page.content()).includes(secret));
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Revoke the key <b>Phone</b>" }).click();
    await page.locator(".status", { hasText: "revoked" }).waitFor();
    assert.equal((await answers()).status(), 401);
    await visit(page, "More");
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("3 entries").waitFor();
    await page.getByLabel("Search").fill("a WALK");
    await page.getByText("1 entry").waitFor();
    await page.getByText("main: Edit A walk").waitFor();
    await shoot(page, "records-journal", { fullPage: true });
  },

  "deliveries that failed are sent again": async ({ page, server, write, start }) => {
    const got = [];
    let status = 410;
    const receiver = http.createServer((request, response) => {
      request.resume();
      got.push(request.headers["webhook-id"]);
      response.writeHead(status).end();
    });
    await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
    receiver.unref();
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGKILL");
    await ended;
    write("site.toml", `base_url = "https://walks.example"\n[[webhooks]]\nname = "mirror"\nurl = "http://127.0.0.1:${receiver.address().port}/hook"\nsecret_env = "HOOK_SECRET"\nlocal = true\n`);
    process.env.HOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const again = await start();
    await open(page, again.link, "deliveries");
    await page.getByText("mirror", { exact: true }).waitFor();
    write("content/items/tide.md", tide);
    await until(() => got.length > 0, "the receiver is told");
    await visit(page, "More");
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.locator(".status.failed").first().waitFor();
    await shoot(page, "records-deliveries", { fullPage: true });
    status = 200;
    await page.getByRole("button", { name: /^Send again: / }).first().click();
    await page.locator(".status.delivered").first().waitFor();
    receiver.close();
  },

  "downloads are plots and tables": async ({ page, link, site, write }) => {
    write("content/items/talk/index.md", '+++\nid = "talk"\ntitle = "A talk"\nattachment = "talk.wav"\ndate_published = 2026-01-05T09:00:00Z\n+++\n');
    fs.writeFileSync(path.join(site, "content/items/talk/talk.wav"), silence(5));
    await open(page, link, "downloads");
    await page.getByText("No downloads were counted yet").waitFor();
    const lines = [];
    for (let day = 1; day <= 28; day += 1) for (let one = 0; one < day % 7; one += 1) lines.push(`192.0.2.${day * 8 + one} - - [${String(day).padStart(2, "0")}/Feb/2026:10:00:00 +0000] "GET /media/items/talk/talk.wav HTTP/1.1" 200 40044 "-" "Overcast/3.0 (+http://overcast.fm/; iOS podcast app)"\n`);
    fs.writeFileSync(path.join(site, "..", "access.log"), lines.join(""));
    const counted = spawnSync(feedwright, ["stats", "import", path.join(site, "..", "access.log"), "--site", site], { encoding: "utf8" });
    assert.equal(counted.status, 0, counted.stderr);
    await page.reload();
    await page.getByRole("img", { name: /^\d+ downloads from 2026-02-01 to 2026-02-27, at most 6 per day$/ }).waitFor();
    await page.getByText("Show as a table").press("Enter");
    await page.getByRole("row", { name: "2026-02-27 6" }).waitFor();
    await page.getByRole("row", { name: "A talk 84 0 6" }).waitFor();
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await accessible(page, `downloads ${scheme}`);
    }
    await shoot(page, "records-downloads", { fullPage: true });
  },

  "all of it is accessible, in both colours and on a phone": async ({ page, link, write }) => {
    write("content/items/walk.md", walk.replace("late", "early"));
    write("content/items/tide.md", tide);
    write(`content/items/${"long-".repeat(30)}name.md`, tide.replaceAll("tide", "other"));
    await open(page, link);
    await page.getByRole("button", { name: "Make a plan" }).click();
    await page.getByText("Nothing has been sent yet").waitFor();
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
    for (const view of ["more", "journal", "deliveries", "keys", "downloads"]) {
      await page.evaluate((view) => (location.hash = `#/${view}`), view);
      await page.getByRole("heading", { level: 1, name: RegExp(view, "i") }).waitFor();
      for (const scheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: scheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 320, `${view}: ${wide} of 320 pixels`);
        await accessible(page, `${view} ${scheme}`);
      }
      await shoot(page, `records-${view}-320`, { fullPage: true });
    }
  },
};

run(steps, given, { workers: 2 }).finally(end);
