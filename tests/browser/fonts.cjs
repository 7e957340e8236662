// Looks at fonts in parts beside the same fonts as a whole: texts of many scripts are the same pixels, and a page loads no
// part that it does not show.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/fonts.cjs <feedwright> [<screenshots>]
//
// FONTS names other fonts than those of the system, with a colon between two.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { build, handled, rewrite, run, serve, shoot } = require("./common.cjs");

const usual = ["dejavu/DejaVuSans.ttf", "liberation/LiberationSerif-Regular.ttf"].map((name) => `/usr/share/fonts/truetype/${name}`);
const fonts = (process.env.FONTS?.split(":") ?? usual).filter((file) => fs.existsSync(file));
if (!fonts.length) console.log("not run: no font of the system is known");

// What is written in it, and the parts that it takes. A text whose part the font lacks is set in another font, in both.
const texts = {
  English: ["Office AVATAR To, Tyre; “Wavy” – 12½ €, fi ff ffl", "latin"],
  Polish: ["Zażółć gęślą jaźń. Łódź, Tłuszcz", "latin"],
  Turkish: ["Pijamalı hasta yağız şoföre çabucak güvendi: İI", "latin"],
  Russian: ["Съешь ещё этих мягких французских булок", "latin cyrillic"],
  Greek: ["Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "latin greek"],
  Hebrew: ["דג סקרן שט בים", "latin hebrew"],
  Arabic: ["نص حكيم له سر قاطع وذو شأن عظيم", "latin arabic"],
  Hindi: ["ऋषियों को सताने वाले दुष्ट", "latin devanagari"],
  Georgian: ["მკვირცხლი მელა", "latin georgian"],
  signs: ["∑∞∫√", "latin symbols"],
};

const page = (style, text) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fonts</title>${style}<style>p { font: 28px "site-font", monospace; margin: 10px }</style><p>${text}</p></html>`;

const steps = Object.fromEntries(fonts.map((file) => [path.basename(file), async ({ page: tab }) => {
  const out = build("small-site", (site) => {
    fs.copyFileSync(file, path.join(site, "font.ttf"));
    rewrite(site, "site.toml", (text) => `${text}\n[theme_options]\nfont = "font.ttf"\n`);
  });
  fs.copyFileSync(file, path.join(out, "whole.ttf"));
  const folder = fs.readdirSync(path.join(out, "assets")).find((name) => fs.existsSync(path.join(out, "assets", name, "site.css")));
  const sheet = `/assets/${folder}/site.css`;
  const parts = [...fs.readFileSync(path.join(out, sheet), "utf8").matchAll(/ttf\.(\S+)\.woff/g)].map(([, name]) => name);
  assert.ok(parts.length > 1, `${file} has one part`);
  const pages = {};
  for (const [name, [text]] of Object.entries(texts)) {
    pages[`/parts/${name}/`] = page(`<link rel="stylesheet" href="${sheet}">`, text);
    pages[`/whole/${name}/`] = page('<style>@font-face { font-family: "site-font"; src: url("/whole.ttf") }</style>', text);
  }
  const asked = [];
  const base = await serve(out, { headers: {}, pages, asked });
  for (const [name, [text, needed]] of Object.entries(texts)) {
    const pictures = [];
    for (const kind of ["whole", "parts"]) {
      asked.length = 0;
      await tab.goto(`${base}/${kind}/${name}/`, { waitUntil: "networkidle" });
      await tab.evaluate(() => document.fonts.ready);
      await handled(tab);
      pictures.push(await tab.locator("p").screenshot());
      await shoot(tab, `font-${path.basename(file)}-${name.replaceAll(" ", "-")}-${kind}`);
    }
    const loaded = asked.map((name) => /ttf\.(\S+)\.woff$/.exec(name)?.[1]).filter(Boolean);
    const more = loaded.filter((part) => !needed.split(" ").includes(part));
    assert.deepEqual(more, [], `${name} loads ${loaded}`);
    assert.ok(pictures[0].equals(pictures[1]), `${name} is not the same: ${text}`);
  }
}]));

run(steps, {});
