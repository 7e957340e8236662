// Writes src/words/cldr.txt, what the program knows of dates, numbers and units of each language, from CLDR.
//
//   npm install cldr-core cldr-dates-full cldr-misc-full cldr-numbers-full cldr-units-full   (in a folder of its own)
//   node tests/words/cldr.cjs <that folder>/node_modules > src/words/cldr.txt
const { readdirSync } = require("node:fs");
const { join, resolve } = require("node:path");
const root = resolve(process.argv[2]);
const read = (...path) => require(join(root, ...path));
// Names of ours that CLDR calls otherwise.
const CLDR = { tl: "fil", "zh-Hans": "zh" };
// Languages without words yet have their dates.
const LANGUAGES =
  "en de fr es pt it nl sv da nb nn fi is et lv lt pl cs sk sl hr sr sr-Latn bs mk bg ro hu el sq tr uk ru be ka hy az kk uz he ar fa ur hi bn mr ta te kn ml si ne th lo km my vi id ms tl ja ko zh-Hans zh-Hant ca eu gl cy ga eo sw af".split(" ");
// Regions that write otherwise than their language.
const REGIONS =
  "de-AT de-CH en-AU en-CA en-GB en-IE en-IN en-NZ en-ZA es-AR es-BO es-BR es-BZ es-CL es-CO es-CR es-CU es-DO es-EC es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE fr-BE fr-CA fr-CH it-CH nl-BE pt-PT sv-FI ar-EG ar-AE ar-MA".split(" ");
const files = readdirSync(join(__dirname, "../../src/words/languages")).map((name) => name.replace(".toml", ""));
const names = [...new Set([...files, ...LANGUAGES, ...REGIONS])].filter((name) => !name.includes("-x-")).sort();
const digits = read("cldr-core/supplemental/numberingSystems.json").supplemental.numberingSystems;
const plurals = read("cldr-core/supplemental/plurals.json").supplemental["plurals-type-cardinal"];

// All forms of a unit, as one where they are the same: "{0} MB", or "one={0} Byte|other={0} Bytes".
const unit = (of) => {
  const forms = Object.entries(of).flatMap(([key, form]) => {
    const category = /^unitPattern-count-(\w+)$/.exec(key)?.[1];
    return category ? [[category, form]] : [];
  });
  const other = forms.find(([category]) => category === "other")[1];
  return forms.every(([, form]) => form === other) ? other : forms.map((pair) => pair.join("=")).join("|");
};

const facts = (name) => {
  const main = CLDR[name] ?? name;
  const get = (pack, file) => Object.values(read(pack, "main", main, `${file}.json`).main)[0];
  const calendar = get("cldr-dates-full", "ca-gregorian").dates.calendars.gregorian;
  const numbers = get("cldr-numbers-full", "numbers").numbers;
  const units = get("cldr-units-full", "units").units;
  const lists = get("cldr-misc-full", "listPatterns").listPatterns;
  const system = numbers.defaultNumberingSystem;
  const symbols = numbers[`symbols-numberSystem-${system}`];
  const patterns = calendar.dateTimeFormats.availableFormats;
  const rules = plurals[name] ?? plurals[name.split("-")[0]] ?? plurals[main.split("-")[0]];
  const pattern = numbers[`decimalFormats-numberSystem-${system}`].standard;
  const percent = numbers[`percentFormats-numberSystem-${system}`].standard;
  const out = {
    digits: digits[system]._digits,
    decimal: symbols.decimal,
    group: symbols.group,
    groups: /#,##,##0/.test(pattern) ? "3 2" : "3 3",
    least: numbers.minimumGroupingDigits,
    plurals: Object.entries(rules)
      .map(([key, rule]) => [key.replace("pluralRule-count-", ""), rule.split("@")[0].trim()])
      .map(([category, rule]) => (rule ? `${category}: ${rule}` : category))
      .join("; "),
    date: patterns.yMMMd,
    "long-date": calendar.dateFormats.long._value ?? calendar.dateFormats.long,
    "day-date": patterns.yMMMEd,
    day: patterns.MMMd,
    month: patterns.yMMMM,
    time: patterns.Hm,
    ...Object.fromEntries(
      ["byte", "kilobyte", "megabyte", "gigabyte"].map((key) => [key, unit(units[key === "byte" ? "long" : "short"][`digital-${key}`])]),
    ),
    ...Object.fromEntries(["hour", "minute", "second"].map((key) => [key, unit(units.short[`duration-${key}`])])),
    join: lists["listPattern-type-unit-short"]["2"],
    percent: percent.replace(/[#0.,]+/, "{0}").replace("%", symbols.percentSign),
    // Two names; of more, the last two and all others.
    list: ["2", "end", "middle"].map((place) => lists["listPattern-type-standard"][place]).join("|"),
  };
  // Only the names that the patterns ask for.
  const asked = [out.date, out["long-date"], out["day-date"], out.day, out.month].join(" ").replace(/'[^']*'/g, "");
  const widths = { 3: "abbreviated", 4: "wide" };
  for (const [letter, part, use] of [["M", "months", "format"], ["L", "months", "stand-alone"], ["E", "days", "format"], ["c", "days", "stand-alone"]])
    for (const count of [3, 4]) {
      const field = letter.repeat(count);
      const isAsked = new RegExp(`(^|[^${letter}])${field}($|[^${letter}])`).test(asked) || (letter === "E" && count === 3 && /E/.test(asked));
      if (isAsked) out[field] = Object.values(calendar[part][use][widths[count]]).join("|");
    }
  if (/G/.test(asked)) out.G = calendar.eras.eraAbbr[1];
  return out;
};

const all = Object.fromEntries(names.map((name) => [name, facts(name)]));
console.log(`# Dates, numbers and units of languages, made by tests/words/cldr.cjs from CLDR ${read("cldr-core/package.json").version}.
# Copyright © 1991-2026 Unicode, Inc. Unicode License v3: https://www.unicode.org/license.txt
# SPDX-License-Identifier: Unicode-3.0
# A region has what differs from its language.`);
for (const name of names) {
  const above = all[name.split("-").slice(0, -1).join("-")] ?? {};
  console.log(`\n[${name}]`);
  for (const [key, value] of Object.entries(all[name])) if (above[key] !== value) console.log(`${key}\t${value}`);
}
