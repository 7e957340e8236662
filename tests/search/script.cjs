// The browser's script, evaluated without a browser: its parts in one scope, as src/render/search/mod.rs joins them.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const parts = ["words.js", "index.js", "results.js", "view.js"];
const folder = path.join(__dirname, "../../src/render/search");
const source = parts.map((part) => fs.readFileSync(path.join(folder, part), "utf8")).join("").replace(/^import .*$/m, "");
const offered = ["fold", "runs", "clauses", "marks", "excerpt", "distance", "begin", "textOf", "passagesWithText", "clock"];

// `fetch` is asked for everything below `base`. `DOMParser` reads Pages.
exports.script = ({ fetch, base = "https://example.com/blog/", DOMParser } = {}) => {
  const document = { documentElement: { lang: "en", dataset: {} }, querySelectorAll: () => [], addEventListener() {} };
  const make = new Function("document", "base", "fetch", "DOMParser", `"use strict";${source}\nreturn { ${offered.join(", ")} };`);
  return make(document, base, fetch, DOMParser);
};
