// The published JavaScript client of the warehouse API, pointed at feedwright by its address alone.
// warehouse.sh starts the server and says where it is.
"use strict";

const assert = require("node:assert/strict");
const { writeFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { BigQuery } = require("@google-cloud/bigquery");
const { OAuth2Client } = require("google-auth-library");

const { ADDRESS, SITE, KEY, READ_KEY } = process.env;

const client = (key) => {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: key, expiry_date: Date.now() + 3600_000 });
  return new BigQuery({ projectId: "show", apiEndpoint: ADDRESS, authClient, autoRetry: false });
};

// The error that a call has to end in.
const fails = async (code, reason, call) => {
  const error = await call.then(
    (found) => assert.fail(`it is answered with ${JSON.stringify(found)}`),
    (error) => error,
  );
  assert.equal(error.code, code, String(error));
  assert.equal(error.errors[0].reason, reason, String(error));
};

const datasets = async (own) => {
  const [logs] = await own.createDataset("logs");
  await fails(409, "duplicate", own.createDataset("logs"));
  const [changed] = await logs.setMetadata({ description: "What is heard", labels: { team: "audio" } });
  assert.equal(changed.description, "What is heard");
  const [all] = await own.getDatasets();
  assert.deepEqual(all.map((one) => one.id), ["logs", "site"]);
  assert.deepEqual(await own.dataset("none").exists(), [false]);
  return logs;
};

const tables = async (logs) => {
  const schema = [
    { name: "n", type: "INTEGER" },
    { name: "at", type: "TIMESTAMP" },
    { name: "tags", type: "STRING", mode: "REPEATED" },
  ];
  const [people] = await logs.createTable("people", { schema });
  await people.insert([{ n: 1, at: "2026-11-21T07:05:00.25Z", tags: ["a", "b"] }, { n: 2, tags: [] }]);
  const error = await people.insert([{ n: "many" }]).catch((error) => error);
  assert.equal(error.name, "PartialFailureError");
  const [rows] = await people.getRows();
  assert.equal(rows[0].at.value, "2026-11-21T07:05:00.250Z");
  assert.deepEqual(rows.map((row) => [row.n, row.tags]), [[1, ["a", "b"]], [2, []]]);
  const [first, next] = await people.getRows({ maxResults: 1, autoPaginate: false, selectedFields: "n" });
  assert.deepEqual(first, [{ n: 1 }]);
  assert.ok(next.pageToken);
  const [listed] = await logs.getTables();
  assert.deepEqual(listed.map((one) => one.id), ["people"]);
  return people;
};

const files = async (own, logs, people) => {
  const file = join(SITE, "plays.csv");
  writeFileSync(file, `episode,count\n${Array.from({ length: 200_000 }, (_, n) => `e${n % 50},${n}\n`).join("")}`);
  const plays = logs.table("plays");
  const [job] = await plays.load(file, { sourceFormat: "CSV", autodetect: true });
  assert.equal(job.status.state, "DONE");
  const [facts] = await plays.getMetadata();
  assert.equal(facts.numRows, "200000");
  assert.deepEqual(facts.schema.fields.map((field) => field.type), ["STRING", "INTEGER"]);

  const stream = plays.createWriteStream({ sourceFormat: "CSV" });
  const streamed = new Promise((resolve, reject) => stream.on("complete", resolve).on("error", reject));
  stream.end("e1,5\n");
  await streamed;
  assert.equal((await plays.getMetadata())[0].numRows, "200001");

  await people.copy(logs.table("copied"));
  assert.equal((await logs.table("copied").getMetadata())[0].numRows, "2");
  const config = {
    extract: {
      sourceTable: { projectId: "show", datasetId: "logs", tableId: "people" },
      destinationUris: ["gs://out/people.json"],
      destinationFormat: "NEWLINE_DELIMITED_JSON",
    },
  };
  const [extract] = await own.createJob({ configuration: config });
  await extract.promise();
  const lines = readFileSync(join(SITE, ".feedwright/warehouse/exports/out/people.json"), "utf8").trim().split("\n");
  assert.equal(lines.length, 2);
};

const queries = async (own) => {
  const query = "SELECT COUNT(*) AS plays FROM logs.plays WHERE episode = @episode AND count IN UNNEST(@counts)";
  const [found] = await own.query({ query, params: { episode: "e1", counts: [1, 51, 52] } });
  assert.deepEqual(found, [{ plays: 2 }]);
  const [positional] = await own.query({ query: "SELECT ? AS a, ? AS b", params: [1.5, "é"] });
  assert.deepEqual(positional, [{ a: 1.5, b: "é" }]);
  const [[typed]] = await own.query(`SELECT DATE '2026-11-21' AS d, TIMESTAMP '2026-11-21 07:05:00+00' AS t,
    STRUCT(1 AS a, ['x'] AS b) AS s, b'\\x00\\xff' AS y, TRUE AS yes`);
  assert.equal(typed.d.value, "2026-11-21");
  assert.equal(typed.t.value, "2026-11-21T07:05:00.000Z");
  assert.deepEqual(typed.s, { a: 1, b: ["x"] });
  assert.deepEqual([...typed.y], [0, 255]);
  assert.equal(typed.yes, true);

  const numbers = "SELECT count FROM logs.plays WHERE count < 1000 ORDER BY count";
  const [job] = await own.createQueryJob({ query: numbers });
  const [page, next] = await job.getQueryResults({ maxResults: 400, autoPaginate: false });
  assert.equal(page.length, 400);
  const [second] = await job.getQueryResults({ ...next, autoPaginate: false });
  // One of the rows before is there twice.
  assert.equal(second[0].count, 399);
  const streamed = [];
  for await (const row of own.createQueryStream(numbers)) streamed.push(row.count);
  assert.equal(streamed.length, 1001);
  const [dry] = await own.createQueryJob({ query: numbers, dryRun: true });
  assert.equal(dry.metadata.statistics.query.schema.fields[0].name, "count");
  await fails(400, "invalidQuery", own.query("SELECT nothing FROM logs.plays"));
  await fails(404, "notFound", own.query("SELECT 1 FROM logs.none"));
};

const jobs = async (own) => {
  const query = "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) AS n FROM t";
  const [job] = await own.createQueryJob({ query, jobId: "endless" });
  await job.cancel();
  const error = await job.promise().then(() => assert.fail("it ends"), (error) => error);
  assert.equal(error.errors[0].reason, "stopped");
  const [listed] = await own.getJobs({ maxResults: 3, autoPaginate: false });
  assert.equal(listed[0].id, "endless");
  await fails(404, "notFound", own.job("none").get());
};

const run = async () => {
  const own = client(KEY);
  const logs = await datasets(own);
  const people = await tables(logs);
  await files(own, logs, people);
  await queries(own);
  await jobs(own);
  const reader = client(READ_KEY);
  const [[counted]] = await reader.query("SELECT COUNT(*) AS n FROM site.items");
  assert.equal(counted.n, 3);
  await fails(403, "accessDenied", reader.dataset("logs").table("people").delete());
  await fails(400, "resourceInUse", logs.delete());
  await logs.delete({ force: true });
  console.log("warehouse API: the JavaScript client loads, asks, copies and exports");
};

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
