// Drives WebKitGTK by WebDriver, with the part of Playwright's interface that tests of writing need.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const { until } = require("./common.cjs");

// Where Debian installs the driver, a browser for it, and a program that gives them a display.
const driver = "/usr/bin/WebKitWebDriver";
const browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const display = "/usr/bin/xvfb-run";
const isThere = [driver, browser, display].every((program) => fs.existsSync(program));

const KEYS = {
  Enter: "\uE007", Backspace: "\uE003", Delete: "\uE017", Control: "\uE009", Shift: "\uE008", Tab: "\uE004", Escape: "\uE00C",
  Home: "\uE011", End: "\uE010", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015",
};
// Commands of the browser's menus, which MiniBrowser does not have.
const MENUS = { "Control+z": "undo", "Control+a": "selectAll" };

const freePort = () => new Promise((done) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

// Calls `deed` with a page in WebKit, and ends the browser.
const withWebkit = async (deed) => {
  const port = await freePort();
  const env = { ...process.env, WEBKIT_DISABLE_COMPOSITING_MODE: "1", LANG: "en_US.UTF-8" };
  const server = spawn(display, ["-a", driver, `--port=${port}`], { detached: true, stdio: "ignore", env });
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  try {
    await until(() => call("GET", "/status").then(({ ready }) => ready, () => false), "the driver starts");
    const options = { binary: browser, args: ["--automation"] };
    const { sessionId } = await call("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } });
    try {
      await deed(pageOf((method, path, body) => call(method, `/session/${sessionId}${path}`, body)));
    } finally {
      await call("DELETE", `/session/${sessionId}`).catch(() => {});
    }
  } finally {
    process.kill(-server.pid, "SIGTERM");
  }
};

const pageOf = (call) => {
  // Runs a function in the page. Its arguments and its result are JSON, or elements.
  const evaluate = async (deed, ...args) => {
    const [error, value] = await call("POST", "/execute/async", {
      script: `const [args, done] = arguments; Promise.resolve().then(() => (${deed})(...args)).then((value) => done([null, value ?? null]), (error) => done([String(error.stack ?? error), null]))`,
      args: [args],
    });
    if (error) throw new Error(error);
    return value;
  };
  const act = (actions) => call("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  const key = (name) => KEYS[name] ?? name.replace(/^(Digit|Key)/, "").toLowerCase();
  const press = async (keys) => {
    if (MENUS[keys]) return evaluate((command) => document.execCommand(command), MENUS[keys]);
    const held = keys.split("+").map(key);
    await act([...held.map((value) => ({ type: "keyDown", value })), ...held.toReversed().map((value) => ({ type: "keyUp", value }))]);
  };
  const type = (text) => act([...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]));
  // An element, which is looked for each time that it is used.
  const locator = (css, { hasText = "" } = {}) => {
    const find = `((css, text) => [...document.querySelectorAll(css)].find((one) => one.textContent.includes(text)))`;
    const on = (deed, ...args) => evaluate(`(css, text, ...args) => (${deed})(${find}(css, text), ...args)`, css, hasText, ...args);
    const own = {
      first: () => own,
      count: () => evaluate((css) => document.querySelectorAll(css).length, css),
      evaluate: on,
      inputValue: () => on((area) => area.value),
      getAttribute: (name) => on((one, name) => one.getAttribute(name), name),
      waitFor: () => until(() => on((one) => Boolean(one)), css),
      click: async () => {
        await own.waitFor();
        const [id] = Object.values(await on((one) => one));
        await call("POST", `/element/${id}/click`, {});
      },
      press: async (keys) => {
        await on((one) => one.focus());
        await press(keys);
      },
    };
    return own;
  };
  // A toolbar and its buttons by their names.
  const getByRole = (role, { name } = {}) => ({ ...locator(name ? `${role}[aria-label="${name}"]` : `[role=${role}]`), getByRole });
  return {
    evaluate,
    locator,
    getByRole,
    goto: (url) => call("POST", "/url", { url }),
    title: () => call("GET", "/title"),
    keyboard: { press, type },
  };
};

// Takes each step with a site of its own. The page is the same for all.
const runInWebkit = (steps, given) => withWebkit(async (page) => {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step({ page, ...(await given()) });
      console.log(`ok: ${name}`);
    } catch (error) {
      console.error(`failed: ${name}`, error);
      process.exitCode = 1;
    }
    // A page with unsaved text asks before it is left.
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
  }
});

module.exports = { isThere, runInWebkit };
