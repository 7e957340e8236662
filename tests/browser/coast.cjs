// Pictures of a coast, drawn: what the show of tests/fixtures/between-tides would have photographed.
"use strict";

// Numbers from 0 to 1 that are the same each time.
const dice = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

// A line of hills or waves from one side to the other, filled to the bottom.
const ridge = (width, height, at, rough, roll, fill) => {
  const steps = 14;
  const points = Array.from({ length: steps + 1 }, (_, n) => [(n * width) / steps, at + (roll() - 0.5) * rough]);
  const curve = points.slice(1).map(([x, y], n) => `S${x - width / steps / 2} ${y} ${x} ${y + (roll() - 0.5) * (n % 3)}`).join("");
  return `<path fill="${fill}" d="M0 ${points[0][1]}${curve}V${height}H0z"/>`;
};

const subjects = {
  lighthouse: (x, y, s, ink) => `<path fill="${ink}" d="M${x - 9 * s} ${y}l4 ${-70 * s}h${10 * s}l4 ${70 * s}z M${x - 8 * s} ${y - 72 * s}h${17 * s}v${-4 * s}h${-17 * s}z M${x - 4 * s} ${y - 76 * s}h${9 * s}v${-11 * s}l${-4.5 * s} ${-7 * s}l${-4.5 * s} ${7 * s}z"/>`,
  boat: (x, y, s, ink) => `<path fill="${ink}" d="M${x - 30 * s} ${y - 8 * s}h${60 * s}l${-9 * s} ${14 * s}h${-42 * s}z M${x - 2 * s} ${y - 10 * s}v${-66 * s}l${30 * s} ${56 * s}h${-28 * s}v${10 * s}z M${x - 5 * s} ${y - 20 * s}v${-44 * s}l${-18 * s} ${44 * s}z"/>`,
  pier: (x, y, s, ink, roll, width) => `<path fill="${ink}" d="M0 ${y - 34 * s}H${x}v${7 * s}H0z${Array.from({ length: 9 }, (_, n) => `M${(n * x) / 9 + 12 * s} ${y - 28 * s}h${5 * s}v${(44 + 6 * roll()) * s}h${-5 * s}z`).join("")}M${x - 20 * s} ${y - 34 * s}v${-40 * s}h${3 * s}v${40 * s}z"/><circle fill="#ffe9b0" cx="${x - 18 * s}" cy="${y - 76 * s}" r="${5 * s}"/>`,
  reeds: (x, y, s, ink, roll, width) => Array.from({ length: 60 }, () => {
    const [at, tall, lean] = [roll() * width, (70 + 130 * roll()) * s, (roll() - 0.4) * 50 * s];
    return `<path fill="none" stroke="${ink}" stroke-width="${2 * s}" d="M${at} ${y + 60 * s}q0 ${-tall / 2} ${lean} ${-tall}"/><ellipse fill="${ink}" cx="${at + lean}" cy="${y + 60 * s - tall}" rx="${3.2 * s}" ry="${13 * s}"/>`;
  }).join(""),
  birds: (x, y, s, ink, roll) => Array.from({ length: 11 }, () => {
    const [at, up, wing] = [x + (roll() - 0.5) * 420 * s, y - (60 + 220 * roll()) * s, (9 + 9 * roll()) * s];
    return `<path fill="none" stroke="${ink}" stroke-width="${2.4 * s}" stroke-linecap="round" d="M${at - wing} ${up}q${wing / 2} ${-wing * 0.8} ${wing} 0q${wing / 2} ${-wing * 0.8} ${wing} 0"/>`;
  }).join(""),
  cliffs: (x, y, s, ink) => `<path fill="${ink}" d="M${x} ${y + 20 * s}l${26 * s} ${-150 * s}l${40 * s} ${-20 * s}l${30 * s} ${8 * s}l${36 * s} ${-40 * s}H${x + 900 * s}V${y + 20 * s}z"/><path fill="#0002" d="M${x + 150 * s} ${y + 20 * s}l${20 * s} ${-130 * s}l${50 * s} ${-60 * s}H${x + 900 * s}V${y + 20 * s}z"/>`,
};

// Sky from above to the horizon, the sun or the moon and its light on the water, the coast far off, the sea, and one thing.
module.exports = ({ width, height, sky, sea, light, sun: [sunX, sunY, sunR], land, ink, subject, at, size = 1, horizon = 0.58, seed }) => {
  const roll = dice(seed);
  const line = height * horizon;
  const [x, y] = [sunX * width, sunY * height];
  const glints = Array.from({ length: 46 }, () => {
    const far = roll() ** 1.6;
    const reach = (20 + 190 * far) * (0.4 + roll());
    return `<rect fill="${light}" opacity="${0.5 - 0.3 * far}" x="${x - reach / 2 + (roll() - 0.5) * 260 * far}" y="${line + 4 + far * (height - line)}" width="${reach}" height="${2 + 5 * far}" rx="3"/>`;
  });
  const clouds = Array.from({ length: 7 }, () => `<ellipse fill="${light}" opacity="${0.1 + 0.16 * roll()}" cx="${roll() * width}" cy="${line * (0.12 + 0.7 * roll())}" rx="${width * (0.1 + 0.18 * roll())}" ry="${height * (0.008 + 0.02 * roll())}"/>`);
  const stops = (colours) => colours.map((colour, n) => `<stop offset="${n / (colours.length - 1)}" stop-color="${colour}"/>`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>
<linearGradient id="s" x2="0" y2="1">${stops(sky)}</linearGradient><linearGradient id="w" x2="0" y2="1">${stops(sea)}</linearGradient>
<radialGradient id="g"><stop stop-color="${light}" stop-opacity=".75"/><stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient></defs>
<path fill="url(#s)" d="M0 0h${width}v${line + 1}H0z"/>${clouds.join("")}<circle fill="url(#g)" cx="${x}" cy="${y}" r="${sunR * height * 4}"/><circle fill="${light}" cx="${x}" cy="${y}" r="${sunR * height}"/>
${ridge(width, line, line - height * 0.05, height * 0.06, roll, land[0])}${ridge(width, line, line - height * 0.015, height * 0.04, roll, land[1])}
<path fill="url(#w)" d="M0 ${line}h${width}V${height}H0z"/>${glints.join("")}
${subjects[subject](at[0] * width, at[1] * height, (size * height) / 500, ink, roll, width)}</svg>`;
};
