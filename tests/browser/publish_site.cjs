// What the tests of publishing share: a site in a repository with a remote and a folder to deploy to, and a new site.
//
// With EDITOR_FILES=<folder>, the page's files are read from there, and not from the program.
"use strict";

const assert = require("node:assert/strict");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { feedwright, temporaryFolder, until } = require("./common.cjs");

// The settings of this machine's git are not the tests'.
Object.assign(process.env, { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });

const walk = '+++\nid = "walk"\nslug = "walk"\ntitle = "A walk"\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was **late**.\n';
const tide = '+++\nid = "tide"\nslug = "low-tide"\ntitle = "Low tide"\ndate_published = 2026-01-06T09:00:00Z\n+++\nMud.\n';

const servers = [];
process.setMaxListeners(50);
// A server that runs keeps a test from ending.
const end = () => servers.forEach((server) => server.kill("SIGKILL"));

// A site in a repository, with a remote and a place to deploy to, and a link that signs in.
const given = async () => {
  const made = place();
  const { site, remote, write, git } = made;
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
  await made.start();
  return made;
};

// A new site without a repository and a destination, and an empty repository elsewhere.
const empty = async () => {
  const made = place();
  assert.equal(spawnSync(feedwright, ["init", made.site]).status, 0);
  assert.equal(spawnSync("git", ["init", "--quiet", "--bare", "-b", "main", made.remote]).status, 0);
  await made.start();
  return made;
};

// The folders of a test, and what it does in them.
const place = () => {
  const folder = temporaryFolder();
  const [site, remote, out] = ["site", "remote.git", "out"].map((name) => path.join(folder, name));
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
    fs.writeFileSync(path.join(site, name), text);
  };
  const gitAt = (folder, ...words) => {
    const done = spawnSync("git", ["-C", folder, "-c", "user.name=Bob", "-c", "user.email=bob@walks.example", ...words], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout.trim();
  };
  const git = (...words) => {
    const done = spawnSync("git", ["-C", site, ...words], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout.trim();
  };
  const hook = (name, script, at = path.join(site, ".git")) => {
    fs.mkdirSync(path.join(at, "hooks"), { recursive: true });
    fs.writeFileSync(path.join(at, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const made = { folder, site, out, write, git, gitAt, hook, remote };
  made.start = async (address = "127.0.0.1:0") => {
    const server = spawn(feedwright, ["serve", "--site", site, "--addr", address], { stdio: ["ignore", "ignore", "pipe"] });
    servers.push((made.server = server));
    let said = "";
    server.stderr.on("data", (text) => (said += text));
    await until(() => /Edit at (\S+)/.test(said), "the server starts");
    made.link = /Edit at (\S+)/.exec(said)[1];
    made.address = new URL(made.link).origin;
    return made;
  };
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
// Opens the steps that can be done alone.
const alone = (page) => page.getByText("Step by step").click();
const part = (page, name) => page.getByRole("region", { name });

// Whether a process runs.
const runs = (id) => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

module.exports = { alone, empty, end, given, open, part, runs, tide, walk };
