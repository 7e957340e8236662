// The show of tests/fixtures/between-tides with all that a site may have: its episodes, texts, a coast in pictures, and a guide.
// The page on the four themes shows it in each.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const coast = require("./coast.cjs");
const { rewrite } = require("./common.cjs");
const { build } = require("./show.cjs");

const dusk = { sky: ["#2b2a5a", "#a4476e", "#f6a15b"], sea: ["#b3566d", "#2a2350"], land: ["#6b3a66", "#4a2b57"], light: "#ffd79a", ink: "#1d1738" };
const day = { sky: ["#3f86c4", "#9fd0e6", "#f2f0dc"], sea: ["#4f9db5", "#1c5a78"], land: ["#87a9a0", "#54807a"], light: "#fffbe8", ink: "#173b45" };
const gold = { sky: ["#d98a3d", "#f4c56b", "#fdeac0"], sea: ["#e0b06a", "#8a5a35"], land: ["#b9824f", "#8e5f3d"], light: "#fff3cf", ink: "#43291c" };
const night = { sky: ["#070f24", "#13284a", "#2f4f73"], sea: ["#1f3a5c", "#060d1e"], land: ["#16294a", "#0d1c36"], light: "#f3efd8", ink: "#040914" };
const mist = { sky: ["#8fa3ad", "#b9c6c9", "#dfe4e0"], sea: ["#a9b8ba", "#62767c"], land: ["#a3b2b5", "#8b9da1"], light: "#f5f4ea", ink: "#37474c" };
const storm = { sky: ["#2c3440", "#55606c", "#cfc6a8"], sea: ["#5b6a70", "#232c35"], land: ["#4c5a61", "#36434b"], light: "#f0e6c0", ink: "#171d23" };

// What each shows, the newest first. The first has a text, too.
const pictures = {
  "before-six": ["Before six", { ...dusk, width: 1600, height: 1000, sun: [0.36, 0.5, 0.06], subject: "lighthouse", at: [0.74, 0.62], size: 1.7, seed: 11 }, "The lighthouse at dawn, the sun on the horizon beside it"],
  reeds: ["Reeds", { ...gold, width: 900, height: 1200, sun: [0.62, 0.36, 0.05], subject: "reeds", at: [0, 0.94], size: 0.9, seed: 5 }, "Reeds before a low sun"],
  pier: ["The north pier", { ...night, width: 1600, height: 960, sun: [0.78, 0.2, 0.045], subject: "pier", at: [0.62, 0.72], size: 1.1, seed: 21 }, "The pier at night, a lamp at its end, the moon over the water"],
  "one-boat": ["One boat", { ...mist, width: 1000, height: 1000, sun: [0.3, 0.3, 0.05], subject: "boat", at: [0.6, 0.68], size: 1.2, seed: 8 }, "A boat in mist"],
  "low-water": ["Low water", { ...day, width: 1500, height: 1000, sun: [0.2, 0.2, 0.05], subject: "birds", at: [0.6, 0.6], size: 1.1, seed: 3 }, "Birds over the flats"],
  cliffs: ["Red cliffs", { ...day, sky: ["#5d93c9", "#bcd9e6", "#f7ead0"], width: 1500, height: 1000, ink: "#b5573c", sun: [0.22, 0.24, 0.05], subject: "cliffs", at: [0.5, 0.58], size: 1.1, seed: 14 }, "Red cliffs above a green sea"],
  moon: ["Full", { ...night, width: 900, height: 1200, sun: [0.5, 0.26, 0.07], subject: "boat", at: [0.32, 0.72], size: 0.5, seed: 31 }, "The full moon, its light on the water, one sail"],
  "rain-coming": ["Rain coming", { ...storm, width: 1600, height: 900, sun: [0.82, 0.5, 0.03], subject: "birds", at: [0.3, 0.62], size: 1, seed: 17 }, "Dark clouds, a strip of light below them"],
};

const essay = "At five the kitchen is dark and the thermos is full. By half past we stand where the path ends, and nobody talks. Then the light goes round once more, and goes out, because it is no longer needed.\n";
const withPictures = (site) => Object.entries(pictures).forEach(([name, [title, drawing, alt]], at) => {
  const item = path.join(site, "content/items", name);
  fs.mkdirSync(item);
  fs.writeFileSync(path.join(item, "picture.svg"), coast(drawing));
  const shown = `image = { url = "picture.svg", alt = "${alt}" }${at ? '\nattachment = { url = "picture.svg" }' : ""}`;
  const date = new Date(Date.UTC(2026, 3, 16 - 2 * at, 6)).toISOString();
  fs.writeFileSync(path.join(item, "index.md"), `+++\nid = "coast-${name}"\nslug = "${name}"\ntitle = "${title}"\ndate_published = "${date}"\ntags = ["coast"]\n${shown}\n+++\n${at ? "" : essay}`);
});

// The guide: its Pages, and what stands in the one that is shown.
const table = `A tide table has four numbers a day. Two say when the water is high and two when it is low; beside each stands how high, measured from a line that nobody has ever seen.

> [!TIP]
> Write down the low water of the day you walk, and half an hour before it. That half hour is yours.

## Read the day

Look for the lowest of the two low waters. In spring it comes with the full moon and with the new one, a day or two late.

| day | low | metres |
| :-- | --: | --: |
| Friday | 18:10 | 0.4 |
| Saturday | 18:52 | 0.3 |
| Sunday | 19:33 | 0.3 |

## When to turn round

The bank you walk on is not the one in the table: its number is for the harbour, behind a wall. Out on the flats the water goes later and comes sooner, and it does not come from the front. It fills the creeks behind you first. Walk out while the water goes, turn when it stands. The rule on every sign is simple, and it is right:

\`\`\`text
low 18:10   turn 19:10   back 20:25
\`\`\`

### With wind

Air is heavy. Where it weighs much the sea lies lower, and where it weighs little the sea comes up to look. A glass that falls by ten is ten centimetres of water, on a flat that is three hundred metres of way. A wind from the sea keeps the water on the flats, and brings it back early. Take twenty minutes off for every step on the scale above four. A wind from the land gives you some of them back, and a little courage; keep the minutes, and leave the courage.

## What the table does not know

Rain in the hills, a storm far out, a ship that passes. It was made a year ago by a machine that adds thirty-seven waves. Once in a while all of them come together, and the sea stands a hand higher than the paper says, or does not come at all and leaves the boats on their sides. Then people walk down to the harbour and look at it, and somebody says the year when it was so before. Look up from it now and then: the birds go to the high banks before the water comes, and they have never read a table. Where they stand close together the ground is dry for another hour; when they rise all at once, so do you.

## Where to get one

Every harbour office has it on paper, for a coin or for nothing. Telephones drown, paper dries. Pin it beside the door, below the coats, where you look before you go and not after; cross out each day that is over, so that you read the right line in the dark. In October, when the clocks change, write the new hours beside the old ones for a week, until you believe them.
`;
const guide = [
  ["start", "Start here", "Walk", "Low water is when the land is largest.\n"],
  ["tide-table", "Read a tide table", "Walk", table],
  ["routes/index", "Routes", "Walk", "Four walks, each there and back.\n"],
  ["routes/seal-bank", "To the seal bank", "", "Six kilometres.\n"],
  ["routes/wreck", "The wreck", "", "Nine kilometres.\n"],
  ["safety", "Fog, lightning, mud", "Walk", "Go back.\n"],
  ["birds", "Birds by their calls", "Look", "Curlew, oystercatcher, dunlin.\n"],
  ["shells", "Shells", "Look", "Left ones and right ones.\n"],
  ["sky", "Stars over the flats", "Look", "There are no lamps.\n"],
  ["recording", "How we record", "Make", "Two microphones, one for the wind.\n"],
  ["drawing", "Drawing the coast", "Make", "It will not stand still.\n"],
];
const withGuide = (site) => guide.forEach(([name, title, group, text], at) => {
  const file = path.join(site, `content/pages/${name}.md`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `+++\ntitle = "${title}"\nnavigation_order = ${at}\n${group && `navigation_group = "${group}"\n`}+++\n${text}`);
});

module.exports = (theme) => build(theme, (site) => {
  withPictures(site);
  withGuide(site);
  rewrite(site, "site.toml", (text) => text.replace("items_per_page = 6", "items_per_page = 24"));
});
