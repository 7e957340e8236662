// What the file `_headers` of a built site says of each file, by Netlify's own parser; Cloudflare Pages reads the same form.
//
//   NODE_PATH=… node tests/independent/headers.cjs OUTPUT
const fs = require("node:fs");
const path = require("node:path");
const { execFileSync } = require("node:child_process");
const { pathToFileURL } = require("node:url");

const out = process.argv[2];
const problems = [];
const judged = [];
let asked = 0;

// Feeds are recognised by their content, so that none escapes by its address. A Site File may show a feed under any type.
const starts = (file, text) => fs.readFileSync(path.join(out, file), "utf8").slice(0, 2000).includes(text);
const isSiteFile = (file) => !file.includes("/") && !is(file, /^(feed\.json|rss\.xml)$/);
const isJsonFeed = (file) => file.endsWith(".json") && !isSiteFile(file) && !file.startsWith("media/") && starts(file, "https://jsonfeed.org/version/");
const isRss = (file) => /\.(xml|rss)$/.test(file) && !isSiteFile(file) && !file.startsWith("media/") && starts(file, "<rss ");

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
    const [json, rss, chapters] = [isJsonFeed(file), isRss(file), /(^|\/)chapters\.json$/.test(file)];
    const before = asked;
    if (json) wants("content-type", /^application\/feed\+json/);
    if (rss) wants("content-type", /^application\/xml/);
    if (chapters) wants("content-type", /^application\/json\+chapters/);
    if (json || rss || chapters || is(file, /^media\//)) wants("access-control-allow-origin", "*");
    else if (is(file, /\.html$/) && !is(file, /^(feed|json|rss)\//)) wants("access-control-allow-origin", undefined);
    if (is(file, /^media\//)) wants("x-content-type-options", "nosniff");
    if (is(file, /^assets\//)) wants("cache-control", /immutable/);
    if (file === "speculation-rules.json") wants("content-type", "application/speculationrules+json");
    if (asked > before) judged.push(file);
  }
  if (!asked) throw new Error(`${out} has no files to ask for`);
  if (problems.length) throw new Error(problems.join("\n"));
  execFileSync("python3", [path.join(__dirname, "unjudged.py"), "headers", out], { input: judged.join("\n"), stdio: ["pipe", "inherit", "inherit"] });
  console.log(`headers: ${asked} fields of ${files.length} files are right by Netlify's parser`);
}

main().catch((error) => {
  console.error(`headers: ${error.message}`);
  process.exit(1);
});
