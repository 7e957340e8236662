// Types known-item queries into the search of a built site, served by a plain file server:
//
//   NODE_PATH=<where playwright-core is> node browser.cjs PUBLIC QUERIES.json
//
// Each query starts with an empty cache, and the dialog opens right before the first key. Prints
// JSON with times in milliseconds:
//
// - first: from the first key to the first results, on loopback
// - next: from each later key to its results, typed after the results of the previous key are shown
// - slow: from the first key to its results, on a connection with 400 kbit/s and 400 ms latency
// - slowWhole: from inserting a whole query at once to its results, on the slow connection
// - slowTyped: from the last key of a quickly typed query to the results of the query, on the slow
//   connection
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const { chromium } = require("playwright-core");

const [folder, queries] = process.argv.slice(2);
const LOCAL = 20;
const SLOW = 10;
/** Milliseconds between two keys of a fast typist, for the slow connection. */
const KEY = 120;
/** Milliseconds without a change after which the results count as complete. */
const QUIET = 150;
const GIVEN_UP = 20_000;
const LINE = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const freePort = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

// Records in the page when keys are pressed and when a query's results appear.
const note = () => {
  const input = document.querySelector("dialog input");
  const results = document.querySelector("dialog .mf-public-search__results");
  window.keys = [];
  window.changes = [];
  document.addEventListener("input", (event) => window.keys.push(event.timeStamp), true);
  new MutationObserver(() => {
    const { value } = input;
    window.changes.push({ at: performance.now(), value, rows: results.children.length });
  }).observe(results, { childList: true });
};

// Opens the dialog in a new browser context, with an empty cache.
const open = async (browser, base, line) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (line) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", line);
  }
  await page.goto(`${base}/`, { waitUntil: "load" });
  await page.evaluate(note);
  await page.keyboard.press("/");
  return { context, page };
};

const noted = (page) => page.evaluate(() => ({ keys: window.keys, changes: window.changes }));

// Waits for a change after the first `from` changes, then until no more changes arrive for a while.
const settled = async (page, from, wait) => {
  const end = Date.now() + wait;
  for (let before = -1; ; ) {
    const { keys, changes } = await noted(page);
    if ((changes.length > from && changes.length === before) || Date.now() > end) return { keys, changes };
    before = changes.length;
    await sleep(QUIET);
  }
};

const local = async (browser, base, query, times) => {
  const { context, page } = await open(browser, base);
  let from = 0;
  for (const [number, letter] of [...query].entries()) {
    await page.keyboard.type(letter);
    // Typing a space does not change the results.
    const { keys, changes } = await settled(page, from, number ? 1_000 : GIVEN_UP);
    const shown = changes.slice(from).find(({ rows }) => rows > 0);
    if (shown) times[number ? "next" : "first"].push(shown.at - keys[number]);
    from = changes.length;
  }
  await context.close();
};

// Measures the time from the last key that `put` presses to the results of the whole query.
const slow = async (browser, base, query, put) => {
  const { context, page } = await open(browser, base, LINE);
  await put(page.keyboard);
  const isShown = (whole) => window.changes.some(({ value, rows }) => value === whole && rows > 0);
  await page.waitForFunction(isShown, query, { timeout: GIVEN_UP }).catch(() => {});
  const { keys, changes } = await noted(page);
  const shown = changes.find(({ value, rows }) => value === query && rows > 0);
  await context.close();
  return shown ? shown.at - keys.at(-1) : GIVEN_UP;
};

const main = async () => {
  // Skips queries in other scripts: the test can only press keys of Latin letters.
  const all = JSON.parse(fs.readFileSync(queries, "utf8")).filter((query) => /^[a-z ]+$/.test(query));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = spawn("python3", ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", folder], { stdio: "ignore" });
  const executablePath = process.env.CHROMIUM || "/usr/bin/chromium-headless-shell";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    while (!(await fetch(base).catch(() => {}))) await sleep(50);
    const times = { first: [], next: [], slow: [], slowWhole: [], slowTyped: [] };
    for (const query of all.slice(0, LOCAL)) await local(browser, base, query, times);
    for (const query of all.slice(0, SLOW)) {
      times.slow.push(await slow(browser, base, query[0], (keyboard) => keyboard.type(query[0])));
      times.slowWhole.push(await slow(browser, base, query, (keyboard) => keyboard.insertText(query)));
      times.slowTyped.push(await slow(browser, base, query, (keyboard) => keyboard.type(query, { delay: KEY })));
    }
    console.log(JSON.stringify(times));
  } finally {
    await browser.close();
    server.kill();
  }
};

main().catch((error) => {
  console.error(String(error));
  process.exitCode = 1;
});
