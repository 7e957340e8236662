// Opens a page with notes, code, footnotes and formulas: it is accessible in both colours and at 320 px, nothing moves
// when the script comes, and code is copied without the numbers of its lines.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/markdown.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, run, serve, shoot, still, watchMoves } = require("./common.cjs");

const code = 'fn main() {\n    // a comment\n    println!("Hello");\n}\n';
const long = `func main() { fmt.Println("${"long ".repeat(40)}") }\n`;
const text = `+++
id = "markdown"
title = "Markdown"
date_published = 2026-01-05T09:00:00Z
+++
Text.[^1] See www.walks.example.

> [!NOTE]
> One.

> [!TIP] A title of its own
> Two with $e^{i\\pi} + 1 = 0$.

> [!IMPORTANT]
> Three.

> [!WARNING]
> Four.

> [!CAUTION]
> Five.

\`\`\`rust title="src/main.rs" linenos {2}
${code}\`\`\`

\`\`\`go
${long}\`\`\`

\`\`\`
plain
\`\`\`

Ebb
: The sea goes out.

$$
\\begin{aligned} f(x) &= \\sum_{i=1}^n \\frac{a_i}{b_i} + ${"x + ".repeat(60)} 1 \\\\ &= \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases} \\end{aligned}
$$

[^1]: A footnote.
`;
const output = build("small-site", (site) => fs.writeFileSync(path.join(site, "content/items/markdown.md"), text));
const at = "/i/markdown-markdown/";

const steps = {
  "formulas have a font that can set them, and other pages load none": async ({ page, address }) => {
    const asked = [];
    page.on("request", (request) => request.url().endsWith(".woff2") && asked.push(path.basename(request.url())));
    for (const other of ["/", "/i/hello/"]) await page.goto(address + other, { waitUntil: "networkidle" });
    assert.deepEqual(asked, []);
    await page.goto(address + at, { waitUntil: "networkidle" });
    const families = await page.locator("math").first().evaluate((math) => getComputedStyle(math).fontFamily);
    for (const name of ["Cambria Math", "STIX Two Math", "Latin Modern Math"]) assert.ok(families.includes(name), families);
    // As on a device that has none of these.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("math { font-family: Formulas !important }");
      document.adoptedStyleSheets.push(sheet);
    });
    await page.waitForFunction(() => document.fonts.status === "loaded" && [...document.fonts].some(({ family, status }) => family === "Formulas" && status === "loaded"));
    assert.ok(asked.includes("math.woff2"), asked);
    // The sign of a case is as high as its lines: only a font for formulas has its parts.
    const heights = await page.locator(".math math").first().evaluate((math) => [...math.querySelectorAll("mo")].map((one) => [one.textContent, one.getBoundingClientRect().height]));
    const [, brace] = heights.find(([sign]) => sign === "{");
    const [, plus] = heights.find(([sign]) => sign === "+");
    assert.ok(brace > 1.5 * plus, `${brace} ${plus}`);
    await shoot(page, "markdown-formulas", { fullPage: true });
  },

  "code is copied as it was written": async ({ context, page, address }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(address + at);
    const button = page.locator(".code-copy").first();
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    assert.equal(await button.textContent(), "Copied");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    // What a person marks by hand holds no numbers either.
    const selected = await page.evaluate(() => {
      getSelection().selectAllChildren(document.querySelector(".prose pre code"));
      return getSelection().toString();
    });
    assert.equal(selected.trim(), code.trim());
  },
  "code scrolls below its button": async ({ page, address }) => {
    await page.goto(address + at);
    const box = page.locator(".code-box").nth(1);
    const before = await box.locator("button").boundingBox();
    await box.locator("pre").evaluate((pre) => (pre.scrollLeft = 200));
    assert.deepEqual(await box.locator("button").boundingBox(), before);
    assert.equal(await box.locator("pre").getAttribute("tabindex"), "0");
    assert.equal(await page.locator(".math").getAttribute("tabindex"), "0");
  },
};
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1000, 320]) {
    steps[`it is accessible, ${colorScheme}, ${width} px`] = async ({ page, address }) => {
      await watchMoves(page);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address + at);
      await page.locator(".code-copy").first().waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await accessible(page, colorScheme);
      await still(page, colorScheme);
      await shoot(page, `markdown-${colorScheme}-${width}`, { fullPage: true });
    };
  }
}

serve(output).then((address) => run(steps, { address }));
