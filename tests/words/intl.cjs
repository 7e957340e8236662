// Prints how Intl writes dates, numbers, sizes, durations and plural categories in the languages of its arguments:
// lines of language, kind, input and text, between tabs.
const CLDR = { tl: "fil" };
const days = [];
for (let time = Date.UTC(2023, 0, 1); time < Date.UTC(2027, 0, 1); time += 13 * 86400e3) days.push(new Date(time));
const numbers = [0, 1, 2, 3, 4, 5, 7, 10, 11, 12, 19, 20, 21, 22, 25, 99, 100, 101, 102, 111, 1000, 1002, 9999, 12345, 1000000, 1234567];
const out = [];
for (const language of process.argv.slice(2)) {
  const locale = `${CLDR[language] ?? language}-u-ca-gregory`;
  const say = (kind, input, text) => out.push([language, kind, input, text].join("\t"));
  const forms = {
    date: { year: "numeric", month: "short", day: "numeric" },
    "day-date": { year: "numeric", month: "short", day: "numeric", weekday: "short" },
    "long-date": { dateStyle: "long" },
    month: { year: "numeric", month: "long" },
    day: { month: "short", day: "numeric" },
  };
  for (const [kind, form] of Object.entries(forms)) {
    const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC" });
    for (const day of days) say(kind, day.toISOString().slice(0, 10), format.format(day));
  }
  const rules = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  for (const n of numbers) {
    say("plural", n, rules.select(n));
    say("number", n, number.format(n));
  }
  const unit = (unit, n, unitDisplay = "short", places = 0) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, minimumFractionDigits: places, maximumFractionDigits: places }).format(n);
  for (const n of [0, 1, 2, 5, 21, 999]) say("size", n, unit("byte", n, "long"));
  say("size", 4230000, unit("megabyte", 4.2, "short", 1));
  say("size", 1500, unit("kilobyte", 1.5, "short", 1));
  say("size", 123456789000, unit("gigabyte", 123));
  for (const n of [1, 2, 5, 21, 59]) {
    say("duration", n, unit("second", n));
    say("duration", n * 60, unit("minute", n));
    say("duration", n * 3600, unit("hour", n));
  }
  for (const n of [0, 5, 50, 100]) say("percent", n, new Intl.NumberFormat(locale, { style: "percent" }).format(n / 100));
  for (const n of [1, 2, 3, 4]) say("list", n, new Intl.ListFormat(locale, { type: "conjunction" }).format(["A", "B", "C", "D"].slice(0, n)));
  say("duration", 3600 + 21 * 60, new Intl.ListFormat(locale, { type: "unit", style: "short" }).format([unit("hour", 1), unit("minute", 21)]));
}
console.log(out.join("\n"));
