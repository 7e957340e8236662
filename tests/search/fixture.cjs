// The site of tests/fixtures/search, and the table of queries with what they find in it, which every search of a site
// is held to: see tests/search/rules.rs.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { build } = require("../browser/common.cjs");

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

// Builds the site, and answers the folder it is in.
exports.build = (program) => build("search", undefined, { program });
