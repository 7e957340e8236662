// Opens a page with notes, code, tables, footnotes and formulas: it is accessible in both colours and at 320 px, nothing
// moves when the script comes, code is copied without the numbers of its lines, tables show that they scroll, and
// footnotes are in the margin where it has room.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/markdown.cjs <feedwright> [<folder for pictures>]
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, build, handled, rewrite, runInBoth, serve, shoot, still, until, watchMoves } = require("./common.cjs");

const code = 'fn main() {\n    // a comment\n    println!("Hello");\n}\n';
const long = `func main() { fmt.Println("${"long ".repeat(40)}") }\n\n// end\n`;
const words = "Words that fill a line of the text or of a note. ".repeat(4);
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

\`\`\`go {1-2}
${long}\`\`\`

\`\`\`
plain
\`\`\`

Ebb
: The sea goes out.

| Wide | ${"wwwwwwwwwwwwwwww | ".repeat(8)}
|---|${"---|".repeat(8)}
| | ${" | ".repeat(8)}

| Narrow |
|---|
| 1 |

Near.[^2] Each.[^3] Other.[^4] ${words}

${`${words}\n\n`.repeat(6)}

$$
\\begin{aligned} f(x) &= \\sum_{i=1}^n \\frac{a_i}{b_i} + ${"x + ".repeat(60)} 1 \\\\ &= \\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases} \\end{aligned}
$$

[^1]: A footnote.
[^2]: ${words}
[^3]: ${words}
[^4]: ${words}
`;
const few = text.replace(/^Near.*$/m, "").replace('id = "markdown"', 'id = "few"').replace(/^\[\^1\].*$/m, `[^1]: ${words.repeat(60)}`);
const buildWith = (theme) => build("small-site", (site) => {
  fs.writeFileSync(path.join(site, "content/items/markdown.md"), text);
  fs.writeFileSync(path.join(site, "content/items/few.md"), few);
  rewrite(site, "site.toml", (old) => `theme = "${theme}"\n${old.replace(/^theme = .*$/m, "")}`);
});
const output = buildWith("default");
const at = "/i/markdown-markdown/";
const wide = { width: 1440, height: 900 };
const boxes = (locator) => locator.evaluateAll((all) => all.map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top: top + scrollY, bottom: bottom + scrollY };
}));
const notes = (page) => boxes(page.locator(".footnotes > ol > li"));
const isInMargin = async (page) => {
  await page.waitForFunction(() => document.querySelector(".footnotes > ol > li").style.getPropertyValue("--move"));
  await handled(page);
};

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
  "the bar of code has its name, its language and its button": async ({ page, address }) => {
    await page.goto(address + at);
    const named = page.locator("figure.code");
    const bars = page.locator(".code > :is(figcaption, .code-bar)");
    assert.deepEqual(await bars.evaluateAll((all) => all.map((bar) => [bar.firstChild.data ?? "", bar.dataset.language, bar.lastChild.textContent])), [
      ["src/main.rs", "Rust", "Copy"], ["", "Go", "Copy"], ["", undefined, "Copy"],
    ]);
    const [bar] = await boxes(named.locator("figcaption"));
    const [code] = await boxes(named.locator("pre"));
    const [button] = await boxes(named.locator("button"));
    assert.ok(Math.abs(bar.bottom - code.top) < 1 && bar.right === code.right && button.right === bar.right && button.bottom <= bar.bottom);
  },
  "code scrolls below its bar, and marked lines reach both edges": async ({ page, address }) => {
    await page.goto(address + at);
    const box = page.locator(".code").nth(1);
    const before = await box.locator("button").boundingBox();
    const code = box.locator("pre");
    const { left, right } = (await boxes(code))[0];
    for (const end of [false, true]) {
      await code.evaluate((pre, isEnd) => (pre.scrollLeft = isEnd ? pre.scrollWidth : 0), end);
      const marks = await boxes(code.locator("mark"));
      assert.equal(marks.length, 2);
      // The second one has no text.
      for (const mark of marks) assert.ok(mark.left <= left && mark.right >= right - 1 && mark.bottom - mark.top > 15, JSON.stringify([mark, left, right]));
      assert.ok(Math.abs(marks[0].bottom - marks[1].top) < 1);
    }
    assert.deepEqual(await box.locator("button").boundingBox(), before);
    assert.equal(await code.getAttribute("tabindex"), "0");
    assert.equal(await page.locator(".math").getAttribute("tabindex"), "0");
  },
  "without scripts code has a bar only for a name or a language, and paper has no buttons": async ({ browser, page, address }) => {
    await page.goto(address + at);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".code-copy:visible").count(), 0);
    assert.equal(await page.locator(".code-bar:visible").count(), 1);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(address + at);
    // Playwright evaluates in a page without scripts too.
    const bars = await plain.locator(".prose pre").evaluateAll((all) => all.map((pre) => getComputedStyle(pre, "::before").content));
    assert.deepEqual(bars, ["none", '"Go"', "none"]);
    const [first] = await boxes(plain.locator(".footnotes"));
    const [prose] = await boxes(plain.locator(".prose"));
    assert.ok(first.left >= prose.left);
    await context.close();
  },
  "a table shows at which edges there is more, and is reached by keyboard": async ({ page, address }) => {
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto(address + at);
    const [scrolls, still] = [page.locator(".prose .table").first(), page.locator(".prose .table").nth(1)];
    for (const [key, value] of [["tabindex", "0"], ["role", "group"]]) {
      assert.equal(await scrolls.getAttribute(key), value);
      assert.equal(await still.getAttribute(key), null);
    }
    assert.match(await scrolls.getAttribute("aria-label"), /^Wide w+ /);
    // Its second row is empty: what is seen there are the shadows.
    const edge = async (side) => {
      await scrolls.scrollIntoViewIfNeeded();
      const row = await scrolls.locator("tr").last().boundingBox();
      const { x, width } = await scrolls.boundingBox();
      return (await page.screenshot({ clip: { x: side === "left" ? x : x + width - 6, y: row.y + 6, width: 6, height: row.height - 12 } })).toString("hex");
    };
    const [left, right] = [await edge("left"), await edge("right")];
    await scrolls.evaluate((box) => (box.scrollLeft = box.scrollWidth));
    assert.notEqual(left, right);
    assert.equal(await edge("right"), left);
    assert.notEqual(await edge("left"), left);
  },
  "footnotes are in the margin of wide screens, each beside its reference, below the one before": async ({ page, address }) => {
    await watchMoves(page);
    await page.setViewportSize(wide);
    await page.goto(address + at);
    await isInMargin(page);
    const [text] = await boxes(page.locator(".prose"));
    const references = await boxes(page.locator(".footnote-ref a"));
    const placed = await notes(page);
    for (const { left, right } of placed) assert.ok((left >= text.right || right <= text.left) && left >= 0 && right <= wide.width);
    for (const at of [0, 1]) assert.ok(Math.abs(placed[at].top - references[at].top) < 8, JSON.stringify([placed, references]));
    for (const at of [1, 2, 3]) assert.ok(placed[at].top >= placed[at - 1].bottom);
    await still(page);
    await page.locator(".footnotes [role=doc-backlink]").nth(2).click();
    assert.match(page.url(), /#fnref-/);
    await page.setViewportSize({ width: 1000, height: 900 });
    assert.ok((await notes(page))[0].top > (await boxes(page.locator(".prose > p").last()))[0].bottom);
  },
  "footnotes are printed at the end": async ({ page, address }) => {
    await page.setViewportSize(wide);
    await page.goto(address + at);
    await isInMargin(page);
    await page.emulateMedia({ media: "print" });
    const [printed] = await notes(page);
    const [after] = await boxes(page.locator(".prose > p").last());
    assert.ok(printed.top > after.bottom && printed.left >= after.left);
  },
  "footnotes do not cover what reaches into the margin": async ({ page, address }) => {
    await page.setViewportSize(wide);
    await page.goto(address + at);
    await isInMargin(page);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".prose > figure.code { margin-inline-start: -18rem; block-size: 20rem }");
      document.adoptedStyleSheets.push(sheet);
      document.querySelectorAll(".footnote-ref")[1].closest("p").after(document.querySelector("figure.code"));
    });
    const covers = (figure) => ({ left, right, top, bottom }) => left < figure.right && right > figure.left && top < figure.bottom && bottom > figure.top;
    await until(async () => {
      const [figure] = await boxes(page.locator("figure.code"));
      return figure.left < 300 && !(await notes(page)).some(covers(figure));
    }, "notes are above and below the code");
    const placed = await notes(page);
    for (const at of [1, 2, 3]) assert.ok(placed[at].top >= placed[at - 1].bottom);
  },
  "footnotes that are longer than the page stay at its end": async ({ page, address }) => {
    await page.setViewportSize(wide);
    await page.goto(`${address}/i/markdown-few/`);
    await page.locator(".footnotes.at-end").waitFor();
    const [note] = await notes(page);
    const [text] = await boxes(page.locator(".prose"));
    assert.ok(note.left >= text.left && note.right <= text.right);
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

// In the other themes the margin has other widths.
const others = ["podcast", "photos", "notes"].map((theme) => [theme, buildWith(theme)]);
serve(output).then(async (address) => {
  for (const [theme, folder] of others) {
    const other = await serve(folder);
    steps[`${theme}: footnotes are in the margin, and nothing is cut off`] = async ({ page }) => {
      for (const width of [1200, 1440]) {
        await watchMoves(page);
        await page.setViewportSize({ width, height: 900 });
        await page.goto(other + at);
        if (theme !== "podcast" || width > 1200) await isInMargin(page);
        const [text] = await boxes(page.locator(".prose"));
        for (const { left, right } of await notes(page)) assert.ok(left >= 0 && right <= width && (left >= text.left && right <= text.right || left >= text.right || right <= text.left));
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        await still(page, `${theme} ${width}`);
        await shoot(page, `markdown-${theme}-${width}`, { fullPage: true });
      }
    };
  }
  const onlyInChromium = [
    "code is copied as it was written",
    "without scripts code has a bar only for a name or a language, and paper has no buttons",
    "footnotes are printed at the end",
  ];
  await runInBoth(steps, { address }, { onlyInChromium, workers: 1 });
});
