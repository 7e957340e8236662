// Writes logos.txt, the logos of services, from the npm package simple-icons:
//
//   npm install simple-icons && node src/theme/services/logos.cjs node_modules/simple-icons
//
// To add a logo, first add a line to logos.txt with the icon's slug, then name the slug in list.rs.
const fs = require("node:fs");
const path = require("node:path");

const [folder] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const { version } = JSON.parse(read("package.json"));
const icons = new Map(JSON.parse(read("data/simple-icons.json")).map((icon) => [icon.slug, icon]));

const file = path.join(__dirname, "logos.txt");
const lines = fs.readFileSync(file, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
const logos = lines.map((line) => line.split(" ")[0]).sort().map((slug) => {
  const icon = icons.get(slug);
  if (!icon) throw new Error(`simple-icons ${version} has no icon ${slug}`);
  // The set is CC0, but some icons have licences of their own.
  if (icon.license && icon.license.type !== "CC0-1.0") throw new Error(`${slug} has the licence ${icon.license.type}`);
  const [, shape] = /<path d="([^"]+)"\/><\/svg>$/.exec(read(`icons/${slug}.svg`));
  return `${slug} #${icon.hex.toLowerCase()} ${shape}`;
});
const head = `# Logos of services from Simple Icons ${version} (CC0), written by logos.cjs: slug, colour, path in a 24 × 24 box.`;
fs.writeFileSync(file, `${[head, ...logos].join("\n")}\n`);
