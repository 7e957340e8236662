// The site of tests/fixtures/search, and the table of queries with what they find in it, which every search of a site
// is held to: see tests/search_rules.rs.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

exports.sources = path.join(__dirname, "../fixtures/search");
exports.rows = JSON.parse(fs.readFileSync(path.join(__dirname, "queries.json"), "utf8"));

// The id of what an address below the site's base leads to.
exports.idOf = (address) => address.replace(/^i\//, "").replace(/\/$/, "");

// What is wrong with the ids that a row's query found, if anything: within a group any order is right.
exports.fault = ({ query, found }, ids) => {
  let from = 0;
  const sorted = (group) => [...group].sort().join();
  const isGroup = (group) => sorted(ids.slice(from, (from += group.length))) === sorted(group);
  const isRight = found.every(isGroup) && from === ids.length;
  return isRight ? undefined : `${JSON.stringify(query)}: ${JSON.stringify(ids)} is not ${JSON.stringify(found)}`;
};

// Builds the site, and answers the folder it is in. `change` is called with a copy of the sources before, in which the
// build keeps its state.
exports.build = (feedwright, change = () => {}) => {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "feedwright-search-"));
  process.on("exit", () => fs.rmSync(temporary, { recursive: true, force: true }));
  const site = path.join(temporary, "site");
  const out = path.join(temporary, "out");
  fs.cpSync(exports.sources, site, { recursive: true });
  change(site);
  const built = spawnSync(feedwright, ["build", "--site", site, "--out", out], { encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr ?? String(built.error));
  return out;
};
