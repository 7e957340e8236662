// A small show, made up: tests/fixtures/between-tides with its sound.
//
//   node tests/browser/show.cjs <feedwright> <folder>
//
// builds it into a folder, with items of every kind.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { build: buildFixture, fixtures, folder, rewrite, silence } = require("./common.cjs");

// Builds the show with a theme, and answers the output folder. `change` is called with a copy of the sources before.
const build = (theme, change = () => {}) => buildFixture("between-tides", (site) => {
  rewrite(site, "site.toml", (text) => `theme = "${theme}"\n${text}`);
  const items = path.join(site, "content/items");
  for (const name of fs.readdirSync(items)) {
    if (fs.existsSync(path.join(items, name, "cover.svg"))) fs.writeFileSync(path.join(items, name, `${name}.wav`), silence(1500));
  }
  change(site);
}, { now: "1776600000" });

// The items of other kinds come from the site that has one of each.
const withOtherKinds = (site) => {
  const from = path.join(fixtures, "small-site/content/items");
  for (const name of ["photo", "film", "paper", "arabic.md", "hostile.md"]) {
    fs.cpSync(path.join(from, name), path.join(site, "content/items", name), { recursive: true });
  }
  for (const [name, slug] of [["hostile.md", "hostile"], ["arabic.md", "arabic"], ["photo/index.md", "photo"], ["film/index.md", "film"], ["paper/index.md", "paper"]]) {
    rewrite(site, path.join("content/items", name), (text) => text.replace(/^slug = .*\n/m, "").replace(/^\+\+\+\n/, `+++\nslug = "${slug}"\n`));
  }
};

module.exports = { build, withOtherKinds };

if (require.main === module) fs.cpSync(build("default", withOtherKinds), folder, { recursive: true });
