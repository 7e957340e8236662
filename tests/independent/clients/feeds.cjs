// What published parsers read in the RSS feeds of built sites: podcast-partytime (Podcast Index), feedsmith and rss-parser.
// The parsers have to agree, and chapters have to equal the file of chapters.
//
//   NODE_PATH=… node tests/independent/clients/feeds.cjs OUTPUT...
process.env.PARTYTIME_LOG = "silent";
const fs = require("node:fs");
const path = require("node:path");
const { isDeepStrictEqual } = require("node:util");
const { parseFeed: partytime } = require("podcast-partytime");
const { parseFeed: feedsmith } = require("feedsmith");
const RssParser = require("rss-parser");

const problems = [];
let count = 0;
let episodes = 0;

const type = (text) => text.split(";")[0];
const seconds = (time) => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
const equal = (place, ...read) => {
  if (!read.every((one) => isDeepStrictEqual(one, read[0]))) problems.push(`${place}: ${read.map((one) => JSON.stringify(one)).join(" is not ")}`);
};

async function feed(out, file) {
  const text = fs.readFileSync(path.join(out, file), "utf8");
  const place = `${path.basename(out)}/${file}`;
  const { format, feed: smith } = feedsmith(text);
  const rss = await new RssParser().parseString(text);
  const party = partytime(text);
  if (format !== "rss" || !party) return problems.push(`${place}: not read as RSS`);
  count += 1;
  const items = smith.items ?? [];
  equal(`${place}: title`, smith.title, rss.title, party.title);
  equal(`${place}: guids`, items.map((item) => item.guid.value), rss.items.map((item) => item.guid));
  const recordings = items.filter((item) => item.enclosures);
  equal(`${place}: episodes`, recordings.map((item) => item.guid.value), party.items.map((item) => item.guid));
  for (const episode of party.items) {
    episodes += 1;
    const item = recordings.find((one) => one.guid.value === episode.guid);
    const other = rss.items.find((one) => one.guid === episode.guid);
    if (!item || !other) continue;
    const at = `${place}: ${episode.guid}`;
    const { url, length, type: kind } = episode.enclosure;
    const enclosure = (one) => [one.url, Number(one.length), type(one.type)];
    equal(`${at}: enclosure`, [url, length, type(kind)], enclosure(item.enclosures[0]), enclosure(other.enclosure));
    equal(`${at}: date`, new Date(episode.pubDate).getTime(), new Date(item.pubDate).getTime(), new Date(other.isoDate).getTime());
    equal(`${at}: duration`, episode.duration ?? 0, Number(item.itunes?.duration ?? 0));
    equal(`${at}: transcripts`, (episode.podcastTranscripts ?? []).map((one) => one.url), (item.podcast?.transcripts ?? []).map((one) => one.url));
    equal(`${at}: chapters`, episode.podcastChapters?.url, item.podcast?.chapters?.url);
    chapters(out, at, episode.podcastChapters?.url, item.psc?.chapters ?? []);
  }
}

// Simple Chapters are the titled chapters of the file that the feed links to.
function chapters(out, at, url, simple) {
  // An example is in a folder of its host.
  const parts = url ? new URL(url).pathname.split("/").filter(Boolean) : [];
  const file = [parts, parts.slice(1)].map((one) => path.join(out, ...one)).find((one) => fs.statSync(one, { throwIfNoEntry: false })?.isFile());
  if (!file) return equal(`${at}: Simple Chapters`, simple, []);
  const listed = JSON.parse(fs.readFileSync(file, "utf8")).chapters.filter((one) => one.toc !== false && one.title);
  const read = (one) => [Math.round(1000 * one.start), one.title, one.href, one.image];
  equal(
    `${at}: Simple Chapters`,
    simple.map((one) => read({ ...one, start: seconds(one.start) })),
    listed.map((one) => read({ start: one.startTime, title: one.title, href: one.url, image: one.img })),
  );
}

async function main() {
  for (const out of process.argv.slice(2)) {
    const files = fs.readdirSync(out, { recursive: true }).filter((file) => !file.startsWith("media") && /\.(xml|rss)$/.test(file));
    for (const file of files.filter((one) => fs.readFileSync(path.join(out, one), "utf8").slice(0, 2000).includes("<rss "))) await feed(out, file);
  }
  for (const problem of problems) console.log(problem);
  console.log(`${count} feeds with ${episodes} episodes, ${problems.length} problems`);
  process.exit(problems.length || !episodes ? 1 : 0);
}

main();
