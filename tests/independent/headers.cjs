// What the file `_headers` of a built site says of each file, by Netlify's own parser; Cloudflare Pages reads the same form.
//
//   NODE_PATH=… node tests/independent/headers.cjs OUTPUT
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const out = process.argv[2];
const problems = [];
let asked = 0;

const is = (file, ...patterns) => patterns.some((pattern) => pattern.test(file));
const files = fs.readdirSync(out, { recursive: true }).filter((file) => fs.statSync(path.join(out, file)).isFile());

async function main() {
  const { parseAllHeaders } = await import(pathToFileURL(require.resolve("netlify-headers-parser")));
  const { headers, errors } = await parseAllHeaders({ headersFiles: [path.join(out, "_headers")], minimal: false });
  if (errors.length) throw new Error(errors.join("\n"));
  for (const file of files) {
    const found = {};
    for (const rule of headers) {
      if (!new RegExp(rule.forRegExp).test(`/${file}`)) continue;
      for (const [name, value] of Object.entries(rule.values)) found[name.toLowerCase()] = value;
    }
    const wants = (name, wanted) => {
      asked += 1;
      const is = wanted instanceof RegExp ? wanted.test(found[name] ?? "") : found[name] === wanted;
      if (!is) problems.push(`/${file}: ${name} is ${found[name]}, not ${wanted}`);
    };
    const [json, rss] = [is(file, /^feed\.json$/, /^feed\/\d+\.json$/, /^i\/[^/]+\/item\.json$/), is(file, /^rss\.xml$/, /^rss\/\d+\.xml$/, /^i\/[^/]+\/item\.rss$/)];
    const chapters = is(file, /^i\/[^/]+\/chapters\.json$/);
    if (json) wants("content-type", /^application\/feed\+json/);
    if (rss) wants("content-type", /^application\/xml/);
    if (chapters) wants("content-type", /^application\/json\+chapters/);
    if (json || rss || chapters || is(file, /^media\//)) wants("access-control-allow-origin", "*");
    else if (is(file, /\.html$/) && !is(file, /^(feed|json|rss)\//)) wants("access-control-allow-origin", undefined);
    if (is(file, /^media\//)) wants("x-content-type-options", "nosniff");
    if (is(file, /^assets\//)) wants("cache-control", /immutable/);
  }
  if (!asked) throw new Error(`${out} has no files to ask for`);
  if (problems.length) throw new Error(problems.join("\n"));
  console.log(`headers: ${asked} fields of ${files.length} files are right by Netlify's parser`);
}

main().catch((error) => {
  console.error(`headers: ${error.message}`);
  process.exit(1);
});
