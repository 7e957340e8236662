// Runs queries with Pagefind's own script: node pagefind.mjs BUNDLE QUERIES.json. Each query uses a
// new instance of the script with an empty cache. Prints for each query the fetched bytes by kind
// and the first three paths.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [bundle, queries] = process.argv.slice(2);
const SHOWN = 10;

let fetched = [];
globalThis.fetch = async (address) => {
  const name = decodeURI(String(address).split("?")[0]).replace(/^.*\/pagefind\//, "");
  const file = join(bundle, name);
  // Pagefind compresses its own binary files. Hosts compress the JSON.
  const bytes = name.endsWith(".json") ? gzipSync(readFileSync(file)).length : statSync(file).size;
  fetched.push({ name, bytes });
  return new Response(readFileSync(file));
};
globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => "en" }) };

const script = join(bundle, "pagefind.js");
const scriptBytes = gzipSync(readFileSync(script)).length;
const sum = (kind) => fetched.filter(({ name }) => kind(name)).reduce((all, { bytes }) => all + bytes, 0);
const isProgram = (name) => name.startsWith("wasm.");
const isResult = (name) => name.startsWith("fragment/");

const answers = [];
for (const [number, query] of JSON.parse(readFileSync(queries, "utf8")).entries()) {
  fetched = [];
  const pagefind = await import(`${pathToFileURL(script)}?${number}`);
  await pagefind.options({ basePath: "/pagefind/", baseUrl: "/" });
  const { results } = await pagefind.search(query);
  const shown = await Promise.all(results.slice(0, SHOWN).map((result) => result.data()));
  answers.push({
    program: scriptBytes + sum(isProgram),
    index: sum((name) => !isProgram(name) && !isResult(name)),
    results: sum(isResult),
    all: scriptBytes + sum(() => true),
    fetches: fetched.length + 1,
    first: shown.slice(0, 3).map(({ url }) => decodeURI(url)),
  });
  await pagefind.destroy?.();
}
console.log(JSON.stringify(answers));
