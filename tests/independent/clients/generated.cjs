// Calls every operation of the content API with the client that @hey-api/openapi-ts generated.
//
//   generated.cjs CLIENT CALLS DESCRIPTION
//
// CLIENT is the folder of the compiled client; FEEDWRIGHT_URL and FEEDWRIGHT_API_KEY are set.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const [folder, callsFile, descriptionFile] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const allCalls = read(callsFile);
const operations = require(path.join(folder, "index.js"));
const { createClient, createConfig } = require(path.join(folder, "client", "index.js"));

const methods = new Set(["get", "head", "post", "put", "delete", "patch"]);
const described = Object.values(read(descriptionFile).paths).flatMap((item) =>
  Object.entries(item)
    .filter(([method]) => methods.has(method))
    .map(([, operation]) => operation.operationId),
);
const functions = Object.keys(operations).filter((name) => typeof operations[name] === "function");
assert.deepEqual(allCalls.map((call) => call.operation).sort(), functions.sort());
// A show has some of the operations.
const calls = allCalls.filter((call) => described.includes(call.operation));
assert.equal(calls.length, described.length);

const url = process.env.FEEDWRIGHT_URL;
const client = createClient(createConfig({ baseUrl: `${url}/api/v1`, auth: process.env.FEEDWRIGHT_API_KEY }));
const site = createClient(createConfig({ baseUrl: url }));
const kept = {};

(async () => {
  for (const call of calls) {
    const values = Object.entries(call.path ?? {}).map(([name, value]) => [name, value.startsWith("$") ? kept[value.slice(1)] : value]);
    const answer = await operations[call.operation]({
      client: call.at === "site" ? site : client,
      path: Object.fromEntries(values),
      query: call.query,
      headers: call.headers,
      body: call.bytes === undefined ? call.body : new Blob([call.bytes]),
    });
    const { status } = answer.response;
    assert.equal(status, call.status, `${call.operation}: ${status} ${JSON.stringify(answer.error)}`);
    for (const [place, field] of Object.entries(call.keep ?? {})) {
      kept[place] = new URL(answer.data[field], url).pathname.split("/").pop();
    }
  }
  console.log(`@hey-api/openapi-ts: ${calls.length} operations called`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
