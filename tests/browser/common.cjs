// What the tests of pages in a browser share: they build a site, serve it, and take steps in it.
//
// Each is called with the program, and where it takes pictures with a folder for them. It writes to temporary folders,
// listens on 127.0.0.1 and ends what it started.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const zlib = require("node:zlib");

const [feedwright, folder] = process.argv.slice(2);
const fixtures = path.join(__dirname, "../fixtures");

// How many milliseconds a test waits for what has to come: what passes never waits so long, however busy the machine is.
const patience = 60000;

// The text of axe-core. Without it pages are not checked for accessibility, which is an error in CI. It is loaded where it
// is asked for: tests without a browser, which share this file, need none.
let loaded;
const axe = () => {
  try {
    return (loaded ??= fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  } catch (error) {
    if (process.env.CI) throw error;
    return undefined;
  }
};

// Silence, as WAV: ten minutes, or so many seconds.
const silence = (seconds = 600) => {
  const rate = 4000;
  const samples = seconds * rate;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
};

// A picture of these dimensions, as PNG: a gradient, so that it is small.
const png = (width, height, ...chunks) => {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(zlib.crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = (y) => Buffer.concat([Buffer.of(0), Buffer.from(Array.from({ length: width }, (_, x) => [(255 * x) / width, (255 * y) / height, 128]).flat())]);
  const pixels = Buffer.concat(Array.from({ length: height }, (_, y) => line(y)));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), ...chunks.map((one) => chunk(...one)), chunk("IDAT", zlib.deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))]);
};

// A folder that goes when the test ends.
const temporaryFolder = () => {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "feedwright-"));
  process.on("exit", () => fs.rmSync(made, { recursive: true, force: true }));
  return made;
};

const buildInto = (out, site, { program = feedwright, now = "1775044800", more = [] } = {}) => {
  const built = spawnSync(program, ["build", "--site", site, "--out", out, ...more], { encoding: "utf8", env: { ...process.env, SOURCE_DATE_EPOCH: now } });
  assert.equal(built.status, 0, built.stderr ?? String(built.error));
  return out;
};

// Builds a fixture, and answers the folder of the output. `change` is called with a copy of the sources before, in
// which the build keeps its state. It is `now`, in seconds.
const build = (fixture, change = () => {}, options = {}) => {
  const temporary = temporaryFolder();
  const site = path.join(temporary, "site");
  fs.cpSync(path.join(fixtures, fixture), site, { recursive: true });
  change(site);
  return buildInto(path.join(temporary, "out"), site, options);
};

// Rewrites a file of a site.
const rewrite = (site, name, change) => {
  const file = path.join(site, name);
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
};
// Writes an item of small-site with ten minutes of sound. Its text has the front matter that makes it this one.
const writeTalk = (site, name, text, files = {}) => {
  const item = path.join(site, "content/items", name);
  fs.mkdirSync(item);
  fs.copyFileSync(path.join(fixtures, "small-site/content/items/episode/cover.png"), path.join(item, "cover.png"));
  for (const [file, content] of Object.entries({ "talk.wav": silence(), "index.md": text, ...files })) fs.writeFileSync(path.join(item, file), content);
};

const types = {
  ".css": "text/css", ".html": "text/html", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json", ".pdf": "application/pdf", ".mp4": "video/mp4",
  ".m3u8": "application/vnd.apple.mpegurl", ".m4a": "audio/mp4", ".m4s": "video/mp4",
  ".png": "image/png", ".svg": "image/svg+xml", ".vtt": "text/vtt", ".wav": "audio/wav", ".webp": "image/webp", ".xml": "text/xml", ".xsl": "text/xml",
};
const strict = "default-src 'self'; img-src 'self' data:; base-uri 'none'; object-src 'none'";

// The two parts of a page that is asked for with `stop-before`.
const heldBack = (text, place) => {
  if (!place) return undefined;
  const [element, at] = place.split(" ");
  const { index } = [...text.matchAll(RegExp(`<${element}[ >]`, "g"))][at];
  return [text.slice(0, index), text.slice(index)];
};

// Serves a folder below a path, with `headers` on all it answers, and answers its address. It knows byte ranges, unless
// `hasRanges` says otherwise for a file. `pages` have their own text by path, `asked` gets every path. A page that
// is asked for with the field `stop-before` ("figure 2") stops before this element for half a second.
const serve = async (folder, { below = "", headers = { "content-security-policy": strict }, hasRanges = () => true, pages = {}, asked = [] } = {}) => {
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    const name = decodeURIComponent(pathname).replace(RegExp(`^${below}/`), "/");
    asked.push(name);
    if (pages[name]) return response.writeHead(200, { "content-type": "text/html" }).end(pages[name]);
    // Browsers ask for it where a page names none, as that of a frame.
    if (name === "/favicon.ico") return response.writeHead(204).end();
    const wanted = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    const isFound = fs.existsSync(wanted);
    const file = isFound ? wanted : path.join(folder, "404.html");
    const body = fs.readFileSync(file);
    const type = name === "/speculation-rules.json" ? "application/speculationrules+json" : types[path.extname(file)];
    const all = { ...headers, "content-type": type ?? "application/octet-stream" };
    const pieces = path.extname(file) === ".html" && heldBack(String(body), request.headers["stop-before"]);
    if (pieces) {
      response.writeHead(isFound ? 200 : 404, all).write(pieces[0]);
      return setTimeout(() => response.end(pieces[1]), 500);
    }
    const range = hasRanges(file) && /^bytes=(\d+)-(\d*)$/.exec(request.headers.range);
    if (!range) return response.writeHead(isFound ? 200 : 404, { ...all, "content-length": body.length }).end(body);
    const [from, to] = [Number(range[1]), range[2] ? Number(range[2]) : body.length - 1];
    response.writeHead(206, { ...all, "content-range": `bytes ${from}-${to}/${body.length}` }).end(body.subarray(from, to + 1));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  // The test ends when its browser has ended.
  server.unref().on("connection", (socket) => socket.unref());
  return `http://127.0.0.1:${server.address().port}${below}`;
};

// Messages of the console that steps expect, by the context of their pages.
const expected = new WeakMap();

/**
 * Expects messages of the console that match `pattern` in the context of a page, now or later in the step: exactly
 * `count`, at least one if that is left out, or "any" number, none included. All other messages make the step fail.
 */
const expectConsole = (page, pattern, count) => expected.get(page.context()).push({ pattern, count });

// What the console says of requests to a server that has ended.
const GONE = /ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH|SOCKET_NOT_CONNECTED)/;

// What is wrong with the messages of a step: those that nobody expects, and expectations that were not met.
const unexpected = (complaints, expectations) => {
  const rest = [...complaints];
  const unmet = expectations.flatMap(({ pattern, count }) => {
    let found = 0;
    for (let at = rest.length - 1; at >= 0 && found !== count; at -= 1) if (pattern.test(rest[at])) found += rest.splice(at, 1).length;
    const isMet = count === "any" || (count === undefined ? found > 0 : found === count);
    return isMet ? [] : [`expected ${count ?? "some"} × ${pattern} and heard ${found}`];
  });
  return [...rest, ...unmet];
};

// The program of Firefox.
const firefox = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

// Browsers that tests run in. Firefox is driven by WebDriver BiDi, as Debian ships it.
const launchers = {
  chromium: (args) => require("playwright-core").chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", ...args] }),
  firefox: () => require("playwright-core")._bidiFirefox.launch({ executablePath: firefox }),
};

// Calls `deed` with a browser, and ends it. What fails makes the test fail.
const withBrowser = async (deed, args = [], engine = "chromium") => {
  // A browser can crash while it starts.
  const browser = await launchers[engine](args).catch(() => launchers[engine](args));
  try {
    await deed(browser);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  await browser.close();
};

// Chromium skips a transition between pages if another navigation starts, or if the machine is busy. It reports this as a
// rejection, perhaps before the page's first script runs, so no script can prevent the report.
const isSkipped = /^Transition was (skipped|aborted)\b/;

// Takes each step with a page of its own, `workers` side by side, and with what is `given` to all, or what that answers
// for each. The console has only messages that the step expects or `always` matches, and nothing is asked for elsewhere.
const run = (steps, given, { workers = 1, options = {}, timeout = patience, args, engine, always = [] } = {}) => withBrowser(async (browser) => {
  const left = Object.entries(steps);
  const worker = async () => {
    for (let next; (next = left.shift()); ) {
      const [name, step] = next;
      const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
      context.setDefaultTimeout(timeout);
      const complaints = [];
      const expectations = always.map((pattern) => ({ pattern, count: "any" }));
      expected.set(context, expectations);
      context.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text() || `${message.type()} without a text at ${message.location().url}`));
      context.on("weberror", (error) => isSkipped.test(error.error().message) || complaints.push(error.error().stack || `uncaught: ${error.error().message}`));
      context.on("request", (request) => /^https?:\/\/(?!(127\.0\.0\.1|localhost):)/.test(request.url()) && complaints.push(`asks for ${request.url()}`));
      try {
        await step({ browser, context, page: await context.newPage(), complaints, ...(typeof given === "function" ? await given() : given) });
        assert.deepEqual(unexpected(complaints, expectations), []);
        console.log(`ok: ${name}`);
      } catch (error) {
        const shown = await Promise.all(context.pages().map((page) => page.locator("body").innerText({ timeout: 1000 }).catch(String)));
        console.error(`failed: ${name}`, error, complaints, `shown:\n${shown.join("\n---\n").slice(0, 4000)}`);
        process.exitCode = 1;
      }
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}, args, engine);

// Takes the steps in Chromium and then in Firefox, without those in `onlyInChromium`: Playwright cannot turn off
// scripts, print, or read the clipboard in Firefox.
const runInBoth = async (steps, given, { onlyInChromium = [], ...options } = {}) => {
  assert.ok(onlyInChromium.every((name) => steps[name]), "steps by their names");
  for (const engine of ["chromium", "firefox"]) {
    // In CI it has to be there.
    if (engine === "firefox" && !fs.existsSync(firefox) && !process.env.CI) {
      console.log(`not run in Firefox: there is no ${firefox}`);
      continue;
    }
    console.log(`${engine}:`);
    const taken = Object.entries(steps).filter(([name]) => engine === "chromium" || !onlyInChromium.includes(name));
    // Firefox clicks a button by a key only in the window in front.
    await run(Object.fromEntries(taken), given, { workers: engine === "firefox" ? 1 : 2, engine, ...options });
  }
};

const shoot = (page, name, options) => folder && page.screenshot({ path: path.join(folder, `${name}.png`), ...options });

// Where axe-core is installed, the page is held to it, when its colours have come to rest.
const accessible = async (page, name, options = {}) => {
  if (!axe()) return;
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished)));
  const { violations } = await page.evaluate(`${axe()}; axe.run(${JSON.stringify(options)})`);
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]), [], name);
};

// Waits until something is so.
const until = async (isSo, name) => {
  for (let waited = 0; !(await isSo()); waited += 50) {
    assert.ok(waited < patience, `${name}: waited in vain`);
    await new Promise((done) => setTimeout(done, 50));
  }
};

// Waits until a page has handled the events and answers that have reached it: it draws, and runs what is queued.
const handled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

// Sums up in `moved` what moves in the pages of a context or a page, and keeps in `moves` what it was.
const watchMoves = (on) => on.addInitScript(() => {
  globalThis.moved = 0;
  globalThis.moves = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, startTime, sources }) => {
    globalThis.moved += value;
    const told = sources.map(({ node, previousRect, currentRect }) => `${(node?.outerHTML ?? node?.textContent ?? "").slice(0, 80)} from ${place(previousRect)} to ${place(currentRect)}`);
    globalThis.moves.push({ value, at: Math.round(startTime), in: `${innerWidth} × ${innerHeight}`, told });
  })).observe({ type: "layout-shift", buffered: true });
});
const still = async (page, name, most = 0.01) => {
  const { moved, moves } = await page.evaluate(() => ({ moved: globalThis.moved, moves: globalThis.moves }));
  assert.ok(moved < most, `layout shift ${moved} ${name ?? ""} ${JSON.stringify(moves, null, 1)}`);
};

// Bytes of a text or file, compressed.
const weight = (content) => zlib.gzipSync(content, { level: 9 }).length;

module.exports = { GONE, accessible, axe, build, buildInto, expectConsole, feedwright, fixtures, folder, handled, patience, png, rewrite, run, runInBoth, serve, shoot, silence, still, strict, temporaryFolder, until, watchMoves, weight, withBrowser, writeTalk };
