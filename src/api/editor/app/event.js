// The dialog for a new event. It asks for the main fields, and the event's form has the others.

import { ask } from './server.js';
import { element } from './page.js';
import { address } from './list.js';
import { inShow } from './shows.js';
import { plusDays } from './when.js';

const REPEATS = { '': 'Never', daily: 'Every day', weekly: 'Every week', monthly: 'Every month', yearly: 'Every year' };

// Input for an event that was not created. The next dialog starts with it.
const kept = new Map();

/** Asks for an event on a day, creates it in an existing or new calendar, and opens it. */
export function newEvent(main, calendars, zone, day) {
  const field = (name, id, input, help = '') => {
    input.id = id;
    return element('div', { class: 'field' }, element('label', { for: id }, name), input, help);
  };
  const option = ([value, name]) => element('option', { value }, name);
  const summary = element('input', { required: '', maxlength: '1024', autocomplete: 'off', dir: 'auto' });
  const date = element('input', { type: 'date', required: '', value: day, min: '0001-01-01', max: '9999-12-30' });
  const start = element('input', { type: 'time' });
  const end = element('input', { type: 'time' });
  const last = element('input', { type: 'date', min: day, max: '9999-12-30' });
  const calendar = element('select', {}, ...calendars.map((one) => option([one.id, one.summary])), option(['', 'New calendar']));
  calendar.value = (calendars.find((one) => one.is_primary) ?? calendars[0])?.id ?? '';
  const id = element('input', { autocomplete: 'off', pattern: '[a-z0-9_\\-]{1,64}', title: 'a–z, 0–9, - and _', value: calendars.length ? '' : 'events' });
  const repeat = element('select', {}, ...Object.entries(REPEATS).map(option));
  const clock = element('p', { class: 'help' });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const close = element('button', { type: 'button', class: 'quiet' }, 'Cancel');
  const endField = field('Ends at', 'new-end', end);
  const lastField = field('Last day', 'new-last', last);
  const idField = field('Folder name', 'new-calendar-id', id);
  const change = () => {
    endField.hidden = !start.value;
    lastField.hidden = Boolean(start.value);
    idField.hidden = id.disabled = calendar.value !== '';
    id.required = !id.disabled;
    const own = calendars.find((one) => one.id === calendar.value);
    clock.textContent = start.value ? `Time zone: ${own?.zone ?? zone}.` : 'Without a start time, the event lasts all day.';
  };
  const form = element(
    'form',
    {},
    element('h2', { id: 'new-event' }, 'New event'),
    field('Title', 'new-summary', summary),
    element('div', { class: 'pair' }, field('Day', 'new-day', date), field('Starts at', 'new-start', start), endField, lastField),
    clock,
    field('Repeats', 'new-repeat', repeat),
    field('Calendar', 'new-event-calendar', calendar),
    idField,
    wrong,
    element('div', { class: 'tools' }, element('button', {}, 'Create the event'), close),
  );
  const dialog = element('dialog', { class: 'cover', 'aria-labelledby': 'new-event' }, form);
  form.addEventListener('input', change);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const asked = {
      summary: summary.value,
      ...spanOf(date.value, start.value, end.value, last.value),
      ...(repeat.value && { repeat: repeat.value }),
    };
    try {
      const { path } = await ask('create-event', { calendar: calendar.value || id.value, event: asked, ...inShow() });
      kept.clear();
      dialog.close();
      location.hash = address(path);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  // The day is not restored, because the person has just chosen it.
  for (const input of [summary, start, end, calendar, id, repeat]) {
    const usual = input.value;
    if (kept.has(input.id)) input.value = kept.get(input.id);
    // A saved calendar that no longer exists cannot be selected.
    if (input.selectedIndex === -1) input.value = usual;
    input.addEventListener('input', () => kept.set(input.id, input.value));
  }
  change();
  main.append(dialog);
  dialog.showModal();
  summary.focus();
}

/**
 * Returns the start and end as written in a file. An end before the start is on the next day, and the end of whole days
 * is exclusive.
 */
function spanOf(day, start, end, last) {
  if (!start) return { start: day, ...(last > day && { end: plusDays(last, 1) }) };
  return { start: `${day} ${start}`, ...(end && { end: `${end > start ? day : plusDays(day, 1)} ${end}` }) };
}
