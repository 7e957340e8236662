// Follows the caret with the preview of the editor, in Chromium and in Firefox.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/caret.cjs <feedwright>
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { handled, runInBoth, until } = require("./common.cjs");
const { end, given, ofPreviews, open, walk } = require("./editor_site.cjs");

const [front] = walk.split(/(?<=^\+\+\+\n)(?!id)/m);
const picture = fs.readFileSync(path.join(__dirname, "../../crates/media-facts/tests/fixtures/picture.png"));

// A long text with blocks of all kinds, which are found by their last word.
const filler = (name) => Array.from({ length: 12 }, (_, at) => `The ${name} paragraph ${at}.`).join("\n\n");
const blocks = {
  heading: "## The north pier",
  item: `${Array.from({ length: 30 }, (_, at) => `- entry ${at}`).join("\n")}\n  - inner lantern`,
  number: "1. one\n2. two anchors",
  quote: "> First.\n>\n> Second gull",
  code: `\`\`\`js\n${Array.from({ length: 40 }, (_, at) => `const a${at} = ${at};`).join("\n")}\nconst last = "buoy";\n\`\`\``,
  picture: "![A lighthouse](/media/light.png)",
  table: "| a | b |\n| --- | --- |\n| c | harbour |",
  footnote: "Late[^1] ferry",
};
const long = `${Object.entries(blocks).map(([name, block]) => `${filler(name)}\n\n${block}`).join("\n\n")}\n\n${filler("end")}\n\n[^1]: Ten minutes.\n`;
const shownPart = (page, words) => page.locator("iframe.is-shown").evaluate(({ contentDocument: page }, words) => {
  // Firefox takes the document from a frame that is replaced.
  const found = [...(page?.querySelectorAll("main :is(h2, p, li, td, code span, pre, img)") ?? [])].findLast((one) => (one.alt ?? one.textContent).includes(words));
  if (!found) return false;
  const { top, bottom } = found.getBoundingClientRect();
  const end = /^PRE$/.test(found.tagName) ? bottom - 20 : top;
  return end >= 0 && end < page.defaultView.innerHeight;
}, words);
// Opens the long text.
const openLong = async ({ page, link, write }) => {
  write("content/media/light.png", picture);
  write("content/items/long.md", `${front}${long}`.replaceAll("walk", "long").replace("A long", "Long"));
  await open(page, link, "Long");
  await page.locator("iframe.is-shown").waitFor({ state: "attached" });
};
const scrolled = (page) => page.locator("iframe.is-shown").evaluate(({ contentWindow }) => contentWindow.scrollY);
// Moves the caret to the end of words in the text.
const moveTo = async (page, words) => {
  await page.locator("#body").evaluate((area, words) => {
    area.focus();
    const end = area.value.lastIndexOf(words) + words.length;
    area.setSelectionRange(end - 1, end - 1);
  }, words);
  await page.keyboard.press("ArrowRight");
};

const steps = {};
steps["the preview shows the part with the caret, and stays where it is when nothing moves"] = async (site) => {
  const { page } = site;
  await page.setViewportSize({ width: 1280, height: 800 });
  await openLong(site);
  assert.equal(await scrolled(page), 0);
  for (const words of ["north pier", "entry 28", "inner lantern", "two anchors", "Second gull", "buoy", "A lighthouse", "harbour", "Late", "Ten minutes", "picture paragraph 6", "heading paragraph 0"]) {
    await moveTo(page, words);
    await until(() => shownPart(page, words), `the preview shows ${words}`);
  }
  // What is typed is followed, too.
  await moveTo(page, "table paragraph 4.");
  await page.keyboard.type("\n\nA new mooring");
  await until(() => shownPart(page, "A new mooring"), "the new paragraph is shown");
  const before = await scrolled(page);
  assert.ok(before > 500);
  await page.keyboard.type(" line");
  await page.frameLocator("iframe.is-shown").getByText("A new mooring line").waitFor();
  assert.equal(await scrolled(page), before);
  // A place that a person chose stays while another field changes.
  await page.locator("iframe.is-shown").evaluate(({ contentWindow }) => contentWindow.scrollTo({ top: 100, behavior: "instant" }));
  await page.locator("#field-title").fill("Longer");
  await page.locator("#field-title").press("Tab");
  await page.frameLocator("iframe.is-shown").getByRole("heading", { name: "Longer" }).first().waitFor();
  assert.equal(await scrolled(page), 100);
  // The whole file as text has the lines of the fields above.
  await page.getByRole("button", { name: "Edit the file" }).click();
  await page.locator("#whole").waitFor();
  await page.locator("#whole").evaluate((area) => area.setSelectionRange(area.value.indexOf("harbour"), area.value.indexOf("harbour")));
  await page.keyboard.press("ArrowRight");
  await until(() => shownPart(page, "harbour"), "the preview follows the whole file");
  await page.getByRole("button", { name: "Back to the form" }).click();
  await page.locator("#body").waitFor();
  // Only the preview names lines.
  const published = await page.request.get(`${site.address}/i/long/`);
  assert.match(await published.text(), /heading paragraph 0/);
  assert.doesNotMatch(await published.text(), /<!--line/);
};

steps["on a phone, the preview opens at the part with the caret, and the text is where it was"] = async (site) => {
  const { page } = site;
  await page.setViewportSize({ width: 390, height: 800 });
  await openLong(site);
  await moveTo(page, "code paragraph 6");
  const place = () => page.evaluate(() => [scrollY, document.querySelector("#body").scrollTop, document.querySelector("#body").selectionStart]);
  const button = page.getByRole("button", { name: "Preview" });
  // Presses by a script: Firefox would scroll to the button, which sticks to the bottom.
  await handled(page);
  const before = await place();
  assert.ok(before[1] > 100);
  await button.evaluate((own) => own.click());
  await until(() => shownPart(page, "code paragraph 6"), "the preview opens at the part");
  await page.getByRole("button", { name: "Back to the text" }).evaluate((own) => own.click());
  await page.locator("#body").waitFor();
  assert.deepEqual(await place(), before);
};

runInBoth(steps, given, { always: [ofPreviews] }).finally(end);
