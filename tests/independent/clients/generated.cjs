// Calls every operation of the content API with the client that @hey-api/openapi-ts generated.
//
//   generated.cjs CLIENT CALLS DESCRIPTION
//
// CLIENT is the folder of the compiled client; FEEDWRIGHT_API_KEY is set. The description says where the server is.
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
const description = read(descriptionFile);
// The path of each operation: some are at an address of their own.
const described = new Map(
  Object.values(description.paths).flatMap((item) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([, operation]) => [operation.operationId, item]),
  ),
);
const functions = Object.keys(operations).filter((name) => typeof operations[name] === "function");
assert.deepEqual(allCalls.map((call) => call.operation).sort(), functions.sort());
// A show has some of the operations.
const calls = allCalls.filter((call) => described.has(call.operation));
assert.equal(calls.length, described.size);

const auth = process.env.FEEDWRIGHT_API_KEY;
const clientOf = ({ servers }) =>
  createClient(createConfig(servers ? { baseUrl: servers[0].url } : { baseUrl: description.servers[0].url, auth }));
const kept = {};

(async () => {
  for (const call of calls) {
    const values = Object.entries(call.path ?? {}).map(([name, value]) => [name, value.startsWith("$") ? kept[value.slice(1)] : value]);
    const answer = await operations[call.operation]({
      client: clientOf(described.get(call.operation)),
      path: Object.fromEntries(values),
      query: call.query,
      headers: call.headers,
      body: call.bytes === undefined ? call.body : new Blob([call.bytes]),
    });
    const { status } = answer.response;
    assert.equal(status, call.status, `${call.operation}: ${status} ${JSON.stringify(answer.error)}`);
    for (const [place, field] of Object.entries(call.keep ?? {})) {
      kept[place] = new URL(answer.data[field], description.servers[0].url).pathname.split("/").pop();
    }
  }
  console.log(`@hey-api/openapi-ts: ${calls.length} operations called`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
