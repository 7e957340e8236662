// The month view: items, pages and events on their days. Below it are drafts without a date, and the calendars.

import { ask } from './server.js';
import { element } from './page.js';
import { address, fault, STATUS } from './list.js';
import { newEvent } from './event.js';
import { folderOfNew, inShow, isBesideNew } from './shows.js';
import { clockOf, dateOf, dayOf, plusDays } from './when.js';

// Maximum number of entries that a day shows without unfolding.
const MOST = 6;

const KINDS = { item: 'Item', page: 'Page', event: 'Event' };
const EVENT = { cancelled: 'cancelled', tentative: 'tentative' };

// Narrow screens show a list instead of a table.
const narrow = matchMedia('(max-width: 48rem)');

// Selector of the element that gets the focus in the next month.
let focused = null;

/** Returns the first day of the week in this locale: 1 is Monday, 7 is Sunday. */
function firstOfWeek() {
  try {
    const locale = new Intl.Locale(navigator.language);
    return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
  } catch {
    // Without a system language, some browsers report a locale that does not exist.
    return 1;
  }
}

const named = (day, format) => dateOf(day).toLocaleDateString(undefined, { timeZone: 'UTC', ...format });

/** Returns the first day of a month, or of the month `later` months after it. */
function firstOf(month, later = 0) {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + later);
  return dayOf(date);
}

/** Returns the days of all weeks that overlap a month. */
function daysOf(month) {
  const first = firstOf(month);
  const before = (dateOf(first).getUTCDay() + 7 - (firstOfWeek() % 7)) % 7;
  const days = [plusDays(first, -before)];
  const next = firstOf(month, 1);
  while (days.at(-1) < plusDays(next, -1) || days.length % 7) days.push(plusDays(days.at(-1), 1));
  return days;
}

/** Shows a month (`2026-11`). Returns a function to call before another view is shown. */
export async function showCalendar(main, asked) {
  const now = new Date();
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(asked) ? asked : `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  const days = daysOf(month);
  const told = await ask('calendar', { from: days[0], until: plusDays(days.at(-1), 1), ...inShow() });
  const place = element('div', { class: 'month' });
  const begin = (day) => newEvent(main, told.calendars.filter(isBesideNew), told.zone, day);
  const own = days.filter((day) => day.startsWith(month));
  const wanted = own.includes(told.today) ? told.today : own[0];
  const draw = () => {
    const onDay = (day) => told.entries.filter(({ first, last }) => first <= day && day <= last).sort(order);
    const show = (day) => ({ day, entries: onDay(day), isOwn: own.includes(day), isToday: day === told.today });
    place.replaceChildren(narrow.matches ? list(own.map(show)) : table(days.map(show), month));
    keys(place, days, month, wanted, begin);
  };
  const today = element('a', { href: `#/calendar/${told.today.slice(0, 7)}`, id: 'month-today' }, 'Today');
  today.addEventListener('click', () => {
    focused = `[data-day="${told.today}"]`;
    if (month === told.today.slice(0, 7)) focus(place);
  });
  const start = element('button', { type: 'button' }, 'New event');
  start.addEventListener('click', () => begin(wanted));
  main.replaceChildren(
    element('div', { class: 'bar' }, element('h1', { id: 'month' }, named(firstOf(month), { month: 'long', year: 'numeric' })), element('div', { class: 'tools' }, step(month, -1), today, step(month, 1), start)),
    place,
    element('p', { class: 'soft', id: 'month-help' }, `Press a day’s number to add an event; move between days with the arrow keys. Events are shown in the time zone of their calendar, items and pages in ${told.zone}.`),
    ...(told.more ? [element('p', { role: 'status' }, 'Some events of these weeks are not shown, because there are too many.')] : []),
    ...without(told.undated),
    ...broken(told.faults),
    ...calendars(told.calendars),
  );
  draw();
  narrow.addEventListener('change', draw);
  focus(main);
  return async () => {
    narrow.removeEventListener('change', draw);
    return true;
  };
}

/** Sorts entries without a start time first, then by start time. */
const order = (one, other) => (one.start ?? '').localeCompare(other.start ?? '') || one.title?.localeCompare(other.title ?? '') || 0;

function focus(within) {
  if (!within.isConnected) return;
  if (focused) within.querySelector(focused)?.focus();
  focused = null;
}

/** Returns a link to the previous or next month. */
function step(month, by) {
  const first = firstOf(month, by);
  const id = by < 0 ? 'month-before' : 'month-after';
  const name = named(first, { month: 'long' });
  const arrow = element('span', { 'aria-hidden': 'true' }, by < 0 ? '‹ ' : ' ›');
  const words = { href: `#/calendar/${first.slice(0, 7)}`, id, 'aria-label': `${name} ${first.slice(0, 4)}, the ${by < 0 ? 'previous' : 'next'} month` };
  const link = element('a', words, ...(by < 0 ? [arrow, name] : [name, arrow]));
  link.addEventListener('click', () => (focused = `#${id}`));
  return link;
}

function table(days, month) {
  const head = days.slice(0, 7).map(({ day }) => element('th', { scope: 'col', abbr: named(day, { weekday: 'long' }) }, named(day, { weekday: 'short' })));
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => element('tr', {}, ...days.slice(week * 7, week * 7 + 7).map(cell)));
  return element('table', { 'aria-labelledby': 'month', 'aria-describedby': 'month-help', 'data-month': month }, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...weeks));
}

const cell = (shown) => element('td', attributes(shown), number(shown.day, named(shown.day, { day: 'numeric' })), entries(shown));

const list = (days) => element('ol', { class: 'days', 'aria-labelledby': 'month', 'aria-describedby': 'month-help' }, ...days.map(row));

const row = (shown) => element('li', attributes(shown), number(shown.day, named(shown.day, { weekday: 'short', day: 'numeric' })), entries(shown));

const attributes = ({ isOwn, isToday }) => ({ ...(!isOwn && { class: 'beyond' }), ...(isToday && { 'aria-current': 'date' }) });

/**
 * Returns the button with the number of a day, which creates an event. Its accessible name starts with the visible
 * text.
 */
function number(day, words) {
  const date = named(day, { dateStyle: 'full' });
  return element('button', { type: 'button', class: 'quiet day', 'data-day': day, 'aria-label': `${date.includes(words) ? '' : `${words}: `}New event on ${date}` }, words);
}

function entries({ day, entries: all }) {
  if (!all.length) return '';
  const items = all.map((one) => entry(one, day));
  const rest = items.splice(all.length > MOST ? MOST - 1 : MOST);
  if (rest.length) items.push(element('li', {}, element('details', {}, element('summary', {}, `${rest.length} more`), element('ul', {}, ...rest))));
  return element('ul', {}, ...items);
}

/** Returns an entry of a day: its time, its title and its kind. */
function entry(one, day) {
  const title = one.title || one.path.split('/').at(-1);
  const isOff = one.status === 'cancelled';
  const time = one.start && one.first === day ? `${clockOf(one.start)} ` : '';
  const words = one.kind === 'event' ? [EVENT[one.status], one.is_public ? '' : 'private', one.first < day ? 'continued' : ''] : [STATUS[one.status].toLowerCase()];
  const is = [one.kind === 'event' ? one.calendar : KINDS[one.kind], ...words].filter(Boolean).join(' · ');
  return element(
    'li',
    { class: `entry ${one.kind} ${one.status}` },
    element('a', { href: address(one.path), dir: 'auto' }, time, isOff ? element('s', {}, title) : title),
    element('span', { class: 'soft' }, is),
  );
}

/** Lets arrow keys move between days and on to other months. Only one day can be reached with the Tab key. */
function keys(place, days, month, wanted, begin) {
  const buttons = [...place.querySelectorAll('[data-day]')];
  const stop = (own) => buttons.forEach((button) => (button.tabIndex = button === own ? 0 : -1));
  stop(buttons.find((button) => button.dataset.day === wanted));
  const go = (day) => {
    const button = buttons.find((own) => own.dataset.day === day);
    if (button) return button.focus();
    focused = `[data-day="${day}"]`;
    location.hash = `#/calendar/${day.slice(0, 7)}`;
  };
  const isList = narrow.matches;
  for (const button of buttons) {
    const { day } = button.dataset;
    button.addEventListener('focus', () => stop(button));
    button.addEventListener('click', () => begin(day));
    button.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const week = days.slice(days.indexOf(day) - (days.indexOf(day) % 7));
      const to = {
        ArrowLeft: () => plusDays(day, -1),
        ArrowRight: () => plusDays(day, 1),
        ArrowUp: () => plusDays(day, isList ? -1 : -7),
        ArrowDown: () => plusDays(day, isList ? 1 : 7),
        Home: () => week[0],
        End: () => week[6],
        PageUp: () => firstOf(month, -1),
        PageDown: () => firstOf(month, 1),
      }[event.key];
      if (!to) return;
      event.preventDefault();
      go(to());
    });
  }
}

function without(drafts) {
  if (!drafts.length) return [];
  const links = drafts.map((one) => element('li', {}, element('a', { href: address(one.path), dir: 'auto' }, one.title || one.path), element('span', { class: 'soft' }, ` ${KINDS[one.kind]}`)));
  return [element('h2', {}, 'Drafts without a date'), element('ul', { class: 'plain' }, ...links)];
}

function broken(faults) {
  if (!faults.length) return [];
  return [element('h2', {}, 'Files with errors'), element('ul', { class: 'faults' }, ...faults.map((one) => fault(one)))];
}

/** Returns the list of calendars, and a form for a new one. */
function calendars(all) {
  const about = (one) => [one.zone, one.events === 1 ? '1 event' : `${one.events} events`, one.is_primary && 'primary', !one.is_public && 'not public'].filter(Boolean).join(' · ');
  const rows = all.map((one) =>
    element(
      'li',
      {},
      element('a', { href: address(one.path), dir: 'auto', ...(!one.has_file && { 'aria-label': `${one.summary}: create its calendar.toml` }) }, one.summary),
      element('span', { class: 'soft' }, ` ${about(one)}${one.has_file ? '' : ' · has no calendar.toml yet'}`),
    ),
  );
  const id = element('input', { id: 'new-calendar', required: '', autocomplete: 'off', pattern: '[a-z0-9_\\-]{1,64}', title: 'a–z, 0–9, - and _' });
  const form = element('form', { class: 'filter' }, element('label', { for: 'new-calendar' }, 'Folder of the new calendar'), id, element('button', { class: 'quiet' }, 'Set it up'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.hash = address(`${folderOfNew()}/calendars/${id.value}/calendar.toml`);
  });
  return [element('h2', {}, 'Calendars'), ...(rows.length ? [element('ul', { class: 'plain' }, ...rows)] : []), form];
}
