// Agents in the browser: a stand-in for WebMCP finds the tools on the dashboard of who has signed in, and a person
// decides what readers see.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/agents.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const { accessible, expectConsole, handled, run, shoot, until } = require("./common.cjs");
const { draft, end, given, ofPreviews, openMenu, visit, walk } = require("./editor_site.cjs");

// What a browser with the draft standard has: registering waits, refuses what is no tool, and ends by its signal.
const standIn = () => {
  const tools = new Map();
  document.modelContext = {
    async registerTool(tool, { signal } = {}) {
      signal?.throwIfAborted();
      if (!/^[\w.-]{1,128}$/.test(tool.name) || !tool.description || typeof tool.execute !== "function" || tools.has(tool.name)) throw new TypeError(tool.name);
      JSON.stringify(tool.inputSchema);
      tools.set(tool.name, tool);
      signal?.addEventListener("abort", () => tools.delete(tool.name), { once: true });
    },
  };
  globalThis.agent = { names: () => [...tools.keys()], call: (name, input) => tools.get(name).execute(input), tools };
};
const names = (page) => page.evaluate(() => agent.names());
const call = (page, name, input) => page.evaluate(([name, input]) => agent.call(name, input), [name, input]);
const six = ["search", "read", "create_draft", "propose_edit", "validate", "preview"];
const enter = async (page, link) => {
  await page.addInitScript(standIn);
  await page.goto(link);
  await page.locator("tbody a").first().waitFor();
  await until(async () => (await names(page)).length === 6, "the tools are there");
};
// Without proposals, the view is among the others.
const showAgents = async (page) => {
  await visit(page, "More");
  await page.locator("main").getByRole("link", { name: "Agents" }).click();
};
const propose = async (page, fields) => {
  const { version } = await call(page, "read", { file: "walk" });
  return call(page, "propose_edit", { file: "walk", version, reason: "It came early, says the log.", ...fields });
};

const steps = {
  "tools are there for who has signed in, and nobody else": async ({ page, link, address }) => {
    await page.addInitScript(standIn);
    for (const place of ["/_edit/", "/", "/i/walk/"]) {
      await page.goto(`${address}${place}`);
      if (place === "/_edit/") await page.getByText("feedwright edit").first().waitFor();
      await handled(page);
      assert.deepEqual(await names(page), [], place);
    }
    await page.goto(link);
    await until(async () => (await names(page)).length === 6, "the tools are there");
    assert.deepEqual(await names(page), six);
    assert.deepEqual(await page.evaluate(() => agent.tools.get("read").annotations), { readOnlyHint: true, untrustedContentHint: true });
    // Going around registers nothing twice.
    await visit(page, "Pages");
    await page.getByRole("heading", { name: "Pages" }).waitFor();
    assert.deepEqual(await names(page), six);
    const kept = await page.evaluateHandle(() => agent.tools.get("read"));
    // Another window signs this one out: the tools go with the first that is refused.
    await page.evaluate(() => fetch("api/sign-out", { method: "POST", headers: { "feedwright-token": localStorage.getItem("feedwright-token") }, body: "{}" }));
    assert.match((await kept.evaluate((tool) => tool.execute({ file: "walk" }))).error, /signed in/);
    assert.deepEqual(await names(page), []);
    expectConsole(page, /status of 401/);
  },

  "signing out takes the tools away": async ({ page, link }) => {
    await enter(page, link);
    await openMenu(page);
    const gone = page.evaluate(() => new Promise((done) => {
      document.getElementById("sign-out").addEventListener("click", () => queueMicrotask(() => done(agent.names())));
    }));
    await page.getByRole("button", { name: "Sign out" }).click();
    assert.deepEqual(await gone, []);
    await page.getByText("feedwright edit").first().waitFor();
    assert.deepEqual(await names(page), []);
    expectConsole(page, /status of 401/);
  },

  "a browser without the standard has an editor as before": async ({ page, link, complaints }) => {
    await page.goto(link);
    await showAgents(page);
    await page.getByText("No proposals are waiting.").waitFor();
    assert.deepEqual(complaints, []);
  },

  "an agent drafts in the file, and each call is told": async ({ page, link, read }) => {
    await enter(page, link);
    const found = await call(page, "search", { words: "ferry" });
    assert.equal(found.results[0].file, "content/items/walk.md");
    const fog = await call(page, "read", { file: "fog" });
    const saved = await call(page, "propose_edit", { file: "fog", version: fog.version, replacements: [{ old: "Grey.", new: "White." }] });
    assert.equal(saved.state, "saved");
    assert.equal(read("content/items/fog.md"), draft.replace("Grey", "White"));
    await page.locator("#told", { hasText: "An agent used Propose an edit: content/items/fog.md" }).waitFor();
    for (const [name, input, why] of [
      ["propose_edit", { file: "fog", version: saved.version, fields: { status: null } }, /cannot publish/],
      ["read", { file: "site.toml" }, /only items and pages/],
      ["search", { word: "x" }, /arguments\.word/],
      ["read", null, /missing field/],
    ]) {
      assert.match((await call(page, name, input)).error, why);
    }
    assert.match((await page.evaluate(() => fetch("api/call", { method: "POST", headers: { "feedwright-token": localStorage.getItem("feedwright-token") }, body: '{"name":"publish","arguments":{}}' }).then((answer) => answer.json()))).error, /unknown tool "publish"/);
    await showAgents(page);
    const rows = page.locator("tbody tr");
    await until(async () => (await rows.count()) === 8, "all calls are listed");
    assert.match(await rows.nth(0).innerText(), /publish refused/);
    assert.match(await rows.nth(5).innerText(), /propose edit\s+content\/items\/fog\.md\s+in this browser/);
    expectConsole(page, /status of 403/, 1);
    expectConsole(page, /status of 400/, 3);
    expectConsole(page, /status of 404/, 1);
  },

  "a person accepts what readers will see": async ({ page, link, address, read }) => {
    await enter(page, link);
    const proposed = await propose(page, { replacements: [{ old: "late", new: "early" }] });
    assert.equal(proposed.state, "proposed");
    assert.equal(read("content/items/walk.md"), walk);
    await showAgents(page);
    await page.locator("nav a", { hasText: /^Agents 1$/ }).waitFor({ state: "attached" });
    const card = page.getByRole("region", { name: "Proposal for content/items/walk.md" });
    assert.match(await card.innerText(), /It came early, says the log\.[^]*− The ferry was \*\*late\*\*\.\s+\+ The ferry was \*\*early\*\*\./);
    await card.getByRole("button", { name: "Accept" }).click();
    await page.getByText("No proposals are waiting.").waitFor();
    assert.equal(read("content/items/walk.md"), walk.replace("late", "early"));
    assert.match(await (await fetch(`${address}/i/walk/`)).text(), /early/);
  },

  "a proposal for a file that changed meanwhile shows both": async ({ page, link, read, write }) => {
    await enter(page, link);
    await showAgents(page);
    await propose(page, { replacements: [{ old: "late", new: "early" }] });
    const card = page.getByRole("region", { name: "Proposal for content/items/walk.md" });
    await card.waitFor();
    const theirs = walk.replace("late", "gone");
    write("content/items/walk.md", theirs);
    await card.getByRole("button", { name: "Accept" }).click();
    await card.getByText("changed in the meantime").waitFor();
    assert.match(await card.innerText(), /− The ferry was \*\*gone\*\*\.\s+\+ The ferry was \*\*early\*\*\./);
    assert.equal(read("content/items/walk.md"), theirs);
    // Taken into the editor, it is a conflict like any other.
    await card.getByRole("button", { name: "Edit it first" }).click();
    await page.getByText("changed elsewhere").waitFor();
    assert.equal(read("content/items/walk.md"), theirs);
    await page.getByRole("button", { name: "Overwrite with my text" }).click();
    await until(() => read("content/items/walk.md") === walk.replace("late", "early"), "the person's choice is saved");
    await showAgents(page);
    await card.getByRole("button", { name: "Discard" }).press("Enter");
    await page.getByText("No proposals are waiting.").waitFor();
    expectConsole(page, /status of 409/);
  },

  "a hostile proposal is text, accessible in both colours and on a phone": async ({ page, link }) => {
    await enter(page, link);
    await propose(page, { fields: { title: "<img src=x onerror=document.title=1>" }, reason: "<script>document.title = 2</script>".repeat(5) });
    await call(page, "search", { words: "<b onclick=alert(1)>x" });
    await showAgents(page);
    await page.getByRole("region", { name: "Proposal for content/items/walk.md" }).waitFor();
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        await accessible(page, `${scheme} ${width}`);
        await shoot(page, `agents-${scheme}-${width}`);
      }
    }
    assert.equal(await page.title(), "Editor");
  },
};

run(steps, given, { workers: 2, always: [ofPreviews] }).finally(end);
