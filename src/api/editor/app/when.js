// Days and times, as text in files and as fields of events.

import { element } from './page.js';
import { fill } from './controls.js';
import { helpOf } from './labels.js';

/** Converts a day (`2026-11-20`) to a date in UTC, and back. */
export const dateOf = (day) => new Date(`${day}T00:00:00Z`);
export const dayOf = (date) => date.toISOString().slice(0, 10);

export function plusDays(day, days) {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOf(date);
}

/** Formats a time of day (`17:00`) for this locale. */
export const clockOf = (time) => new Date(`1970-01-01T${time}Z`).toLocaleTimeString(undefined, { timeZone: 'UTC', timeStyle: 'short' });

/** Returns the names of all time zones. */
export const zones = () => Intl.supportedValuesOf?.('timeZone') ?? [];

const TIME = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?\s*$/;
const OFFSET = /^([Zz]|[+-]\d\d:?\d\d)$/;

/** Parses a time from a file: a text, or a table with a time zone. */
function partsOf(held) {
  const isTable = typeof held === 'object' && held !== null;
  const text = (isTable ? (held.dateTime ?? held.date) : held) ?? '';
  const [, day = '', time = '', seconds = ':00', offset = ''] = TIME.exec(text) ?? [];
  return { day, time, seconds, zone: (isTable && held.timeZone) || offset, isTable };
}

/** Returns the value to write to a file, or null without a day. */
function valueOf({ day, time, seconds, zone, isTable }) {
  if (!day) return null;
  const isOffset = OFFSET.test(zone);
  const text = time ? `${day}T${time}${seconds}${isOffset ? zone : ''}` : day;
  const named = zone && !isOffset ? zone : null;
  if (!isTable && !(named && time)) return text;
  return { [time ? 'dateTime' : 'date']: text, ...(named && { timeZone: named }) };
}

/**
 * Combines several inputs to one field. `read` returns the field's value. Each input has a key, which is used in its
 * id.
 */
function together(context, keys, name, part, inputs, { read, show }) {
  const id = `field-${keys.join('-')}`;
  const wrong = element('p', { class: 'wrong', id: `${id}-wrong` });
  const help = element('p', { class: 'help', id: `${id}-help` }, helpOf(context.name, keys, part));
  const fields = inputs.map(([label, key, input]) => {
    input.id = `${id}-${key}`;
    input.setAttribute('aria-describedby', `${id}-help ${id}-wrong`);
    return element('div', { class: 'field' }, element('label', { for: input.id }, label), input);
  });
  const all = element('fieldset', { class: 'group', id }, element('legend', {}, name), element('div', { class: 'pair' }, ...fields), help, wrong);
  all.addEventListener('change', ({ target }) => {
    const value = target.reportValidity() ? read(target) : undefined;
    if (value !== undefined) context.change(keys, value);
  });
  const tell = (words) => {
    wrong.textContent = words;
    for (const [, , input] of inputs) input.toggleAttribute('aria-invalid', Boolean(words));
  };
  context.fields.push({ keys, show, tell });
  return all;
}

/**
 * Returns the inputs for a day or a time, in the calendar's time zone or another one. In a file, the end of whole days
 * is exclusive.
 */
export function timeOf(context, keys, name, part) {
  const day = element('input', { type: 'date', min: '0001-01-01', max: '9999-12-30' });
  const time = element('input', { type: 'time' });
  const zone = element('input', { autocomplete: 'off', list: 'choices-zones', placeholder: 'the calendar’s' });
  const isLast = (clock) => keys.at(-1) === 'end' && !clock;
  const isDay = (text) => !Number.isNaN(dateOf(text).getTime());
  let held = partsOf();
  const show = (value) => {
    held = partsOf(value);
    fill(time, held.time);
    fill(zone, held.zone);
    day.previousElementSibling.textContent = isLast(held.time) ? 'Last day' : 'Day';
    fill(day, isLast(held.time) && isDay(held.day) ? plusDays(held.day, -1) : held.day);
  };
  const read = () => {
    // Without a day, an end is on the day of the start.
    const own = day.value || (time.value && document.getElementById('field-start-date')?.value) || '';
    return valueOf({ ...held, day: own && isLast(time.value) ? plusDays(own, 1) : own, time: time.value.slice(0, 5), zone: zone.value.trim() });
  };
  return together(context, keys, name, part, [['Day', 'date', day], ['Time', 'dateTime', time], ['Time zone', 'timeZone', zone]], { read, show });
}

const RULES = { '': 'Never', DAILY: 'Every day', WEEKLY: 'Every week', MONTHLY: 'Every month', YEARLY: 'Every year', own: 'Custom rules' };

/** Returns the inputs for how often an event repeats: a common rule, or custom lines. */
export function repeatOf(context, keys, name, part) {
  const choice = element('select', {}, ...Object.entries(RULES).map(([value, words]) => element('option', { value }, words)));
  const lines = element('textarea', { rows: '3', class: 'code', spellcheck: 'false', placeholder: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TH' });
  const isOwn = () => choice.value === 'own';
  const settle = () => (lines.parentElement.hidden = !isOwn());
  const show = (value) => {
    const all = [value ?? []].flat();
    const usual = all.length === 1 && /^RRULE:FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)$/.exec(all[0])?.[1];
    if (document.activeElement !== lines && !(isOwn() && document.activeElement === choice)) choice.value = all.length ? usual || 'own' : '';
    fill(lines, all.join('\n'));
    settle();
  };
  const read = (target) => {
    settle();
    if (!isOwn()) return choice.value ? [`RRULE:FREQ=${choice.value}`] : null;
    if (target === choice) return undefined;
    const all = lines.value.split('\n').map((line) => line.trim()).filter(Boolean);
    return all.length ? all : null;
  };
  return together(context, keys, name, part, [['How often', 'rule', choice], ['Rules (RFC 5545, one per line)', 'lines', lines]], { read, show });
}

/** Returns the times of an event with unsaved changes, and the problems that are not shown elsewhere. */
export function timesOf({ zone, times, is_series: isSeries, is_over: isOver, is_public: isPublic, faults }, isTold) {
  const date = (day) => dateOf(day).toLocaleDateString(undefined, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const words = ({ first, last, start, end }) => {
    const to = last === first ? '' : date(last);
    if (!start) return [date(first), to].filter(Boolean).join(' – ');
    return `${date(first)}, ${clockOf(start)} – ${[to, clockOf(end)].filter(Boolean).join(', ')}`;
  };
  const row = (one) => {
    const when = words(one);
    return element('li', {}, ...(one.status === 'cancelled' ? [element('s', {}, when), ' cancelled'] : [when]));
  };
  const isOff = times.length > 0 && times.every(({ status }) => status === 'cancelled');
  const notes = [
    !isPublic && 'The event or its calendar is private: visitors do not see it.',
    isPublic && isOff && 'Visitors no longer see it. Subscribers see it crossed out.',
    isOver && times.length > 0 && 'The event is over: visitors no longer see it.',
    !times.length && 'The event has no further dates.',
  ].filter(Boolean);
  return [
    element('h2', {}, isSeries ? 'Next dates' : 'Date'),
    element('ul', { class: 'plain' }, ...times.map(row)),
    element('p', { class: 'soft' }, `Time zone: ${zone}.`),
    ...notes.map((note) => element('p', {}, note)),
    ...faults.filter((fault) => !isTold(fault)).map(({ severity, message, help }) => element('p', { class: 'trouble' }, element('strong', {}, severity === 'error' ? 'Error: ' : 'Warning: '), message, help ? ` – ${help}` : '')),
  ];
}
