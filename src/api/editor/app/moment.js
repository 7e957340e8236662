// Moments in the site's time zone: as text in files, in inputs and in sentences.

import { element } from './page.js';
import { fill } from './controls.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const formats = new Map();

/** Returns the local time at a moment in a time zone, as the milliseconds that this time has in UTC. */
function wallAt(zone, moment) {
  if (!formats.has(zone)) {
    const two = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
    formats.set(zone, new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', year: 'numeric', ...two }));
  }
  const parts = Object.fromEntries(formats.get(zone).formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/** Returns the UTC offset of a time zone at a moment, in minutes. */
const offsetAt = (zone, moment) => Math.round((wallAt(zone, moment) - moment) / MINUTE);

/** Returns a time zone that this browser knows. */
function known(zone) {
  try {
    wallAt(zone, 0);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** Formats a moment for an input of type `datetime-local`: `2026-11-20T09:30`. */
export function localOf(moment, zone) {
  return Number.isNaN(moment) ? '' : new Date(wallAt(known(zone), moment)).toISOString().slice(0, 16);
}

/**
 * Returns the moment of a local time. A time that occurs twice is the first one. A time that is skipped when clocks go
 * forward is as much later.
 */
export function momentOf(local, zone) {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return Number.NaN;
  const own = known(zone);
  const [before, after] = [offsetAt(own, wall - DAY), offsetAt(own, wall + DAY)];
  const found = [before, after].map((offset) => wall - offset * MINUTE).find((moment) => wallAt(own, moment) === wall);
  return found ?? wall - before * MINUTE;
}

const WRITTEN = /^\s*(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?\s*$/;

/** Returns the moment that a text in a file means, or NaN. Without an offset, the time is in the site's time zone. */
export function parse(text, zone) {
  const [, day, , time = '00:00', seconds = '00', offset] = WRITTEN.exec(text) ?? [];
  if (!day) return /^\w{3},? .* (GMT|[+-]\d{4})$/.test(text ?? '') ? Date.parse(text) : Number.NaN;
  const local = `${day}T${time}:${seconds}`;
  return offset ? Date.parse(`${local}${offset.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`) : momentOf(local, zone);
}

/** Writes a moment in the style of another text of the file: in UTC, with an offset, in local time, or only a day. */
export function write(moment, zone, like) {
  const own = known(zone);
  const style = WRITTEN.exec(like ?? '');
  const [, , separator = 'T', , , offset] = style ?? [];
  const local = new Date(wallAt(own, moment)).toISOString().slice(0, 19);
  const isMidnight = local.endsWith('T00:00:00');
  if (style && !style[3] && isMidnight) return local.slice(0, 10);
  if (style?.[3] && !offset) return local.replace('T', separator);
  const minutes = offsetAt(own, moment);
  if (/^z$/i.test(offset ?? '') || !minutes) return `${new Date(moment).toISOString().slice(0, 19).replace('T', separator)}Z`;
  const two = (number) => String(Math.trunc(Math.abs(number))).padStart(2, '0');
  const colon = offset && !offset.includes(':') ? '' : ':';
  return `${local.replace('T', separator)}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}${colon}${two(minutes % 60)}`;
}

/** Formats a moment for a sentence: “Friday, 20 November, 9:00”. */
export function wordsOf(moment, zone) {
  const year = (time) => localOf(time, zone).slice(0, 4);
  const isOther = year(moment) !== year(Date.now());
  const long = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' };
  return new Date(moment).toLocaleString(undefined, { timeZone: known(zone), ...long, ...(isOther && { year: 'numeric' }) });
}

/** Returns the key under which a file has its date. */
export const dateKey = (values) => ('date_published' in values || !('date' in values) ? 'date_published' : 'date');

/** Returns the sentence that names a time zone. */
export const zoneWords = (zone) => `Time zone: ${known(zone).replaceAll('_', ' ')}.`;

export const dateInput = () => element('input', { type: 'datetime-local', min: '1000-01-01T00:00', max: '9999-12-30T00:00' });

/**
 * Returns the control of a date. It takes effect when the person leaves it, because each digit of a year is a valid
 * date.
 */
export function dateControl(zone, key) {
  const input = dateInput();
  let [held, shown, used] = ['', '', key];
  const show = (value, values) => {
    used = key === 'date_published' ? dateKey(values) : key;
    held = (key === 'date_published' ? values[used] : value) ?? '';
    shown = localOf(parse(held, zone), zone);
    fill(input, shown);
  };
  const value = () => (input.value ? write(momentOf(input.value, zone), zone, held) : null);
  const listen = (take) => {
    const end = () => (input.value !== shown || input.validity.badInput) && take();
    input.addEventListener('blur', end);
    input.addEventListener('keydown', (event) => event.key === 'Enter' && end());
  };
  return { input, show, value, change: () => [[used], value()], listen, note: zoneWords(zone) };
}
