// Takes the pictures that README and the site show, of the show in tests/fixtures/between-tides: home, episode and search
// with the theme default, an episode with the theme podcast, and two of each theme for the page on the four themes. The
// editor shows the example of a show.
//
//   NODE_PATH=<where playwright-core is> node tests/browser/screenshots.cjs <feedwright> [<folder, content/media/looks>] [<name> …]
//
// Each is a wide page and the same on a phone, as WebP of at most 120 KB; those of the four themes are smaller, of at most
// 60 KB. Take them anew when a theme looks otherwise; the fonts are those of the system.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { execFileSync, spawn } = require("node:child_process");
const { feedwright, folder = path.join(__dirname, "../../content/media/looks"), handled, serve, temporaryFolder, until, withBrowser } = require("./common.cjs");
const gallery = require("./gallery.cjs");
const { build } = require("./show.cjs");

const wanted = process.argv.slice(4);

const episode = async (page) => {
  await page.waitForFunction(() => document.querySelector("#theme-player").readyState > 0);
  await page.evaluate(() => (document.querySelector("#theme-player").currentTime = 31));
  await page.locator(".said-text [aria-current]").waitFor();
  await page.evaluate(() => scrollTo(0, 0));
};
const transcript = async (page) => {
  await episode(page);
  await page.locator(".said").evaluate((one) => scrollTo(0, one.getBoundingClientRect().top - 24));
};
const search = async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("light");
  await page.locator("dialog .mf-public-search-passage mark").first().waitFor();
};

const down = (selector) => (page) => page.locator(selector).first().evaluate((one) => scrollTo(0, one.getBoundingClientRect().top - 24));

// What is shown: with which theme, where, in which colours, and what is done first.
const pictures = {
  home: { theme: "default", at: "/", wide: "light", phone: "dark" },
  episode: { theme: "default", at: "/i/harbour-lights/", wide: "light", phone: "dark", first: episode, firstOnPhone: transcript },
  search: { theme: "default", at: "/", wide: "dark", phone: "light", first: search },
  "podcast-episode": { theme: "podcast", at: "/i/harbour-lights/", wide: "dark", phone: "light", first: episode },
};
// The four themes: home, and a page that each is made for.
const small = { site: gallery, size: 1200, quality: 0.78, most: 60_000 };
const within = {
  default: { at: "/", first: down(".entries") },
  podcast: { at: "/i/harbour-lights/", first: episode },
  photos: { at: "/", first: down(".entries"), atOnPhone: "/i/reeds/" },
  notes: { at: "/tide-table/", firstOnPhone: (page) => page.locator(".drawer > summary").click() },
};
for (const [theme, page] of Object.entries(within)) {
  pictures[`four-${theme}`] = { ...small, theme, at: "/", wide: "light", phone: "dark" };
  pictures[`four-${theme}-within`] = { ...small, theme, wide: "dark", phone: "light", ...page };
}

// The editor of the example of a show: an episode on a wide screen, and Home on a phone.
const edited = async (page) => {
  await page.locator("tbody a", { hasText: "One folder" }).first().click();
  await page.locator(".mark").first().waitFor();
  await page.locator("iframe.is-shown").waitFor();
};
pictures.editor = { theme: "podcast", at: "", wide: "light", phone: "dark", first: edited, firstOnPhone: (page) => page.locator("tbody a").first().waitFor() };
const serveEditor = async () => {
  const site = path.join(temporaryFolder(), "site");
  execFileSync(feedwright, ["init", "--template", "show", site]);
  const server = spawn(feedwright, ["serve", "--site", site, "--addr", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  server.stderr.on("data", (text) => (said += text));
  await until(() => /Edit at (\S+)/.test(said), "the server starts");
  return { server, link: () => execFileSync(feedwright, ["edit", "--print", "--site", site], { encoding: "utf8" }).match(/http\S+/)[0] };
};

const take = async (browser, address, colorScheme, device, first = async () => {}) => {
  const context = await browser.newContext({ ...device, colorScheme, deviceScaleFactor: 1.5, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(typeof address === "string" ? address : address());
  await first(page);
  await page.waitForLoadState("networkidle");
  await handled(page);
  const taken = await page.screenshot();
  await context.close();
  return taken.toString("base64");
};

// Runs in the browser: a phone before a screen, as WebP.
const together = async ({ wide, phone, size, quality }) => {
  const read = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    return image;
  };
  const [screen, small] = [await read(wide), await read(phone)];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size, (size * 1140) / 1800];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.scale(size / 1800, size / 1800);
  const draw = (image, x, y, width, radius) => {
    const height = (image.height / image.width) * width;
    const edge = new Path2D();
    edge.roundRect(x, y, width, height, radius);
    context.save();
    context.shadowColor = "#0006";
    context.shadowBlur = 36;
    context.fill(edge);
    context.restore();
    context.save();
    context.clip(edge);
    context.drawImage(image, x, y, width, height);
    context.restore();
    context.strokeStyle = "#8886";
    context.lineWidth = 2;
    context.stroke(edge);
  };
  draw(screen, 40, 30, 1580, 20);
  draw(small, 1350, 330, 400, 36);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
};

withBrowser(async (browser) => {
  const bases = new Map();
  const built = async (site, theme) => {
    const name = `${site === gallery} ${theme}`;
    if (!bases.has(name)) bases.set(name, await serve(site(theme)));
    return bases.get(name);
  };
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, picture] of Object.entries(pictures)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const { theme, site = build, at, atOnPhone = at, wide, phone, first, firstOnPhone = atOnPhone === at ? first : undefined, size = 1800, quality = 0.86, most = 120_000 } = picture;
    const editor = name === "editor" ? await serveEditor() : null;
    const addressOf = (at) => editor?.link ?? `${base}${at}`;
    const base = editor ? "" : await built(site, theme);
    const taken = {
      wide: await take(browser, addressOf(at), wide, { viewport: { width: 1280, height: 860 } }, first),
      phone: await take(browser, addressOf(atOnPhone), phone, { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true }, firstOnPhone),
    };
    editor?.server.kill();
    const page = await browser.newPage();
    const file = Buffer.from(await page.evaluate(together, { ...taken, size, quality }), "base64");
    await page.close();
    assert.ok(file.length <= most, `${name} has ${file.length} bytes`);
    fs.writeFileSync(path.join(folder, `${name}.webp`), file);
    console.log(`${name}.webp: ${file.length} bytes`);
  }
});
