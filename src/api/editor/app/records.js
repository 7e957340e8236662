// Records of the whole site: the journal, webhook deliveries, keys and downloads.

import { ask } from './server.js';
import { button, element, tell } from './page.js';
import { address } from './list.js';
import { MORE } from './navigation.js';

const time = (date) => element('time', { datetime: date }, new Date(date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }));

/** Turns an operation's name, such as `saveFile` or `items.create`, into words. */
const said = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('.', ' ').toLowerCase();

export function showMore(main) {
  const links = MORE.map(([name, title, words]) => element('li', {}, element('a', { href: `#/${name}` }, title), element('p', { class: 'soft' }, words)));
  main.replaceChildren(element('h1', {}, 'More'), element('ul', { class: 'rows' }, ...links));
}

/** Shows the journal, newest entry first. The server searches, because the journal has more entries than are shown. */
export async function showJournal(main) {
  const search = element('input', { type: 'search', id: 'search', autocomplete: 'off' });
  const count = element('p', { role: 'status', class: 'soft' });
  const list = element('ul', { class: 'rows' });
  const fill = async () => {
    const text = search.value;
    const { entries, most } = await ask('journal', { text });
    if (search.value !== text) return;
    count.textContent = entries.length < most ? `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}` : `The newest ${most} entries`;
    list.replaceChildren(...entries.map(entry));
  };
  let later;
  search.addEventListener('input', () => {
    clearTimeout(later);
    later = setTimeout(() => fill().catch((error) => tell(error.message)), 250);
  });
  main.replaceChildren(
    element('h1', {}, 'Journal'),
    element('div', { class: 'filter', role: 'search' }, element('label', { for: 'search' }, 'Search'), search),
    count,
    list,
  );
  await fill();
}

function entry({ operation, subject, path, by, time: date, causation }) {
  const isText = /^content\/(items|pages)\/.*\.(md|html)$/.test(path ?? '');
  const what = isText ? element('a', { href: address(path), dir: 'auto' }, path) : element('span', { dir: 'auto' }, path ?? subject);
  const why = causation ? `, because of ${causation}` : '';
  return element('li', {}, element('p', {}, element('strong', {}, said(operation)), ' ', what), element('p', { class: 'soft' }, time(date), ` by ${by}${why}`));
}

const STATUS = { waiting: 'Pending', sending: 'Being sent', delivered: 'Delivered', failed: 'Failed', cut: 'Part of a loop, not sent' };

/** Shows the webhooks and their messages. */
export async function showDeliveries(main) {
  const { webhooks, messages, most } = await ask('deliveries');
  const again = async (id) => {
    try {
      await ask('retry', { id });
      tell('Sending again…');
    } catch (error) {
      return tell(error.message);
    }
    // The server looks for due messages every second.
    setTimeout(() => list.isConnected && showDeliveries(main), 1500);
  };
  const shown = element('select', { id: 'status' }, element('option', { value: '' }, 'Any status'));
  for (const [value, name] of Object.entries(STATUS)) if (messages.some((one) => one.status === value)) shown.append(element('option', { value }, name));
  const list = element('ul', { class: 'rows' });
  const fill = () => list.replaceChildren(...messages.filter((one) => !shown.value || one.status === shown.value).map((one) => message(one, again)));
  shown.addEventListener('change', fill);
  const isOpen = messages.some((one) => ['waiting', 'failed'].includes(one.status));
  main.replaceChildren(
    element('h1', {}, 'Deliveries'),
    webhooks.length ? element('ul', { class: 'rows' }, ...webhooks.map(webhook)) : element('div', { class: 'fields' }, element('p', {}, 'site.toml has no webhooks. Add one:'), element('pre', {}, '[[webhooks]]\nurl = "https://example.com/hook"\nsecret_env = "HOOK_SECRET"')),
    element('h2', {}, 'Messages'),
    messages.length
      ? element('div', { class: 'filter' }, element('label', { for: 'status' }, 'Status'), shown, isOpen ? button('Send all pending and failed messages again', () => again(null)) : '', button('Refresh', () => showDeliveries(main)))
      : element('p', {}, 'No messages in the last 30 days.'),
    list,
    messages.length < most ? '' : element('p', { class: 'soft' }, `Only the newest ${most} messages are shown.`),
  );
  fill();
}

function webhook({ name, url, events, secret_env, has_secret, is_gone }) {
  const trouble = is_gone ? 'Nothing is sent: the receiver answered 410 Gone.' : has_secret ? '' : `Nothing is sent: the environment variable ${secret_env} of feedwright serve is missing or not a valid secret.`;
  return element(
    'li',
    {},
    element('p', {}, element('strong', {}, name), name === url ? '' : ` ${url}`),
    element('p', { class: 'soft' }, events.length ? events.join(', ') : 'All events'),
    element('p', { class: 'wrong' }, trouble),
  );
}

function message(one, again) {
  const facts = [one.webhook, `tried ${one.attempts} ${one.attempts === 1 ? 'time' : 'times'}`, one.answer].filter(Boolean).join(', ');
  const next = one.next ? element('p', { class: 'soft' }, 'Next attempt: ', time(one.next)) : '';
  const action = button('Send again', () => again(one.id));
  action.setAttribute('aria-label', `Send again: ${one.type} ${one.about}`);
  return element(
    'li',
    {},
    element('p', {}, element('span', { class: `status ${one.status}` }, STATUS[one.status]), ' ', element('strong', {}, one.type), ' ', element('span', { dir: 'auto' }, one.about)),
    element('p', { class: 'soft' }, time(one.time), `, ${facts}`),
    next,
    ['sending', 'cut'].includes(one.status) ? '' : element('div', { class: 'tools' }, action),
  );
}

// Scopes that most programs need. The others are folded.
const COMMON = ['content:read', 'content:write', 'realtime'];

/** Shows the keys of programs. */
export async function showKeys(main, made) {
  const { keys, scopes } = await ask('keys');
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const name = element('input', { id: 'name', required: '', maxlength: '100', autocomplete: 'off', dir: 'auto' });
  const ends = element('input', { id: 'ends', type: 'date' });
  const box = (scope) => element('div', { class: 'choice' }, element('input', { type: 'checkbox', id: `scope-${scope}`, value: scope }), element('label', { for: `scope-${scope}` }, scope));
  const others = element('details', {}, element('summary', {}, 'Calendars, tables and more'), ...scopes.filter((scope) => !COMMON.includes(scope)).map(box));
  const form = element(
    'form',
    { class: 'fields narrow' },
    element('h2', {}, 'New key'),
    element('div', { class: 'field' }, element('label', { for: 'name' }, 'Name'), name),
    element('fieldset', { class: 'group fields' }, element('legend', {}, 'Permissions'), ...COMMON.map(box), others),
    element('div', { class: 'field' }, element('label', { for: 'ends' }, 'Last valid day (optional)'), ends),
    wrong,
    element('div', { class: 'tools' }, element('button', {}, 'Create the key')),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = [...form.querySelectorAll(':checked')].map((one) => one.value);
    if (!chosen.length) return (wrong.textContent = 'Choose at least one permission.');
    try {
      // The key is valid until the end of that day in this browser's time zone.
      const expires = ends.value ? new Date(`${ends.value}T23:59:59`).toISOString() : null;
      const made = await ask('make-key', { name: name.value, scopes: chosen, expires });
      await showKeys(main, made);
      if (!main.isConnected) tell(`The key ${made.key.name} was created, but its secret can no longer be shown: revoke it under Keys, and create another one.`);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  main.replaceChildren(
    element('h1', {}, 'Keys'),
    made ? secret(made) : '',
    keys.length ? element('ul', { class: 'rows' }, ...keys.map((key) => row(main, key))) : element('p', {}, 'There are no keys yet. A program sends its key in the header “Authorization: Bearer …”.'),
    form,
  );
  main.querySelector('.secret')?.focus();
}

/** Shows the secret of a new key. It is shown only once and is available nowhere else. */
function secret({ key, secret: text }) {
  const copy = button('Copy', async () => {
    await navigator.clipboard.writeText(text).then(() => tell('Copied.'), () => tell('Copying failed: select the secret, and copy it yourself.'));
  });
  return element('section', { class: 'panel secret', tabindex: '-1', 'aria-labelledby': 'secret-name' }, element('h2', { id: 'secret-name' }, `The secret of ${key.name}`), element('p', {}, 'It is shown only once. Store it where the program can read it, but not in a file of the site.'), element('pre', {}, text), element('div', { class: 'tools' }, copy));
}

function row(main, key) {
  const until = key.revoked ? ['Revoked ', time(key.revoked)] : key.expires ? ['Expires ', time(key.expires)] : ['Does not expire'];
  const end = button('Revoke', async () => {
    if (!confirm(`Revoke the key ${key.name} permanently? Programs that use it are refused immediately.`)) return;
    await ask('revoke-key', { id: key.id }).catch((error) => tell(error.message));
    await showKeys(main);
    tell(`The key ${key.name} was revoked.`);
  });
  end.setAttribute('aria-label', `Revoke the key ${key.name}`);
  return element(
    'li',
    {},
    element('p', {}, element('strong', { dir: 'auto' }, key.name), ' ', element('span', { class: 'status' }, key.status.replaceAll('_', ' '))),
    element('p', {}, key.scopes.join(', ')),
    element('p', { class: 'soft' }, 'Created ', time(key.created), '. ', ...until),
    key.can_end ? element('div', { class: 'tools' }, end) : '',
  );
}

const DAY = 86_400_000;
// Maximum number of bars that can be distinguished on a phone.
const BARS = 92;

/** Shows downloads as charts and tables. */
export async function showDownloads(main) {
  const { downloads, days, items } = await ask('downloads');
  if (!downloads) {
    main.replaceChildren(element('h1', {}, 'Downloads'), element('p', {}, 'No downloads were counted yet. Import the log of a web server or CDN:'), element('pre', {}, 'feedwright stats import access.log'));
    return;
  }
  const span = element('select', { id: 'span' }, ...[[30, 'Last 30 days'], [90, 'Last 90 days'], [365, 'Last year'], [0, 'All days']].map(([value, name]) => element('option', { value }, name)));
  span.value = '90';
  const shown = element('div', { class: 'fields' });
  const fill = () => shown.replaceChildren(...byDay(days, Number(span.value)));
  span.addEventListener('change', fill);
  const most = Math.max(...items.map((item) => item.downloads));
  const body = items.map((item) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', dir: 'auto' }, item.title || item.id, plot([item.downloads], most, true)),
      element('td', {}, item.downloads.toLocaleString()),
      ...[0, 1].map((at) => element('td', {}, item.first?.[at].toLocaleString() ?? '–')),
    ),
  );
  main.replaceChildren(
    element('h1', {}, 'Downloads'),
    element('div', { class: 'filter' }, element('label', { for: 'span' }, 'Days'), span),
    shown,
    element('h2', {}, 'By item, all days'),
    table(['Item', 'All', '7 days', '30 days'], body),
  );
  fill();
}

const table = (names, rows) => element('table', { class: 'numbers' }, element('thead', {}, element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name)))), element('tbody', {}, ...rows));

/**
 * Returns a chart of the days up to the last day with downloads. Combines days to weeks or months if there are too
 * many. Days are in UTC.
 */
function byDay(days, most) {
  const counts = new Map(days);
  const last = Date.parse(days.at(-1)[0]);
  const first = most ? Math.max(Date.parse(days[0][0]), last - (most - 1) * DAY) : Date.parse(days[0][0]);
  const number = Math.round((last - first) / DAY) + 1;
  const [name, width] = number <= BARS ? ['day', 1] : number <= BARS * 7 ? ['week', 7] : ['30 days', 30];
  const bars = [];
  for (let at = 0; at < number; at += 1) {
    const day = new Date(first + at * DAY).toISOString().slice(0, 10);
    if (at % width === 0) bars.push([day, 0]);
    bars.at(-1)[1] += counts.get(day) ?? 0;
  }
  const sum = bars.reduce((all, [, count]) => all + count, 0);
  const highest = Math.max(...bars.map(([, count]) => count));
  const words = `${sum.toLocaleString()} downloads from ${bars[0][0]} to ${new Date(last).toISOString().slice(0, 10)}, at most ${highest.toLocaleString()} per ${name}`;
  const rows = bars.map(([day, count]) => element('tr', {}, element('th', { scope: 'row' }, day), element('td', {}, count.toLocaleString())));
  const chart = plot(bars.map(([, count]) => count), highest, false, bars.map(([day]) => day));
  chart.setAttribute('aria-label', words);
  return [
    element('p', {}, words),
    chart,
    element('details', {}, element('summary', {}, 'Show as a table'), table([name === 'day' ? 'Day' : 'From', 'Downloads'], rows.reverse())),
  ];
}

/** Returns a bar chart. Horizontal bars are hidden from screen readers, because each is next to its number. */
function plot(counts, most, isLying, names = []) {
  const make = (name, attributes, ...children) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const bars = counts.map((count, at) => {
    const long = (100 * count) / (most || 1);
    const place = isLying ? { x: 0, y: at * 10, width: long, height: 8 } : { x: at * 10, y: 100 - long, width: 8, height: long };
    return make('rect', place, ...(names[at] ? [make('title', {}, `${names[at]}: ${count.toLocaleString()}`)] : []));
  });
  const size = counts.length * 10;
  const attributes = { class: isLying ? 'bar-plot' : 'plot', viewBox: isLying ? `0 0 100 ${size}` : `0 0 ${size} 100`, preserveAspectRatio: 'none' };
  return make('svg', { ...attributes, ...(isLying ? { 'aria-hidden': 'true' } : { role: 'img' }) }, ...bars);
}
