// The lists of editable files, and the list of the site's problems.

import { ask } from './server.js';
import { element } from './page.js';

// Interval for refreshing the problems, in milliseconds.
const AGAIN = 4000;

export const STATUS = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  unlisted: 'Unlisted',
  unreadable: 'Cannot be read',
  changed: 'Published, with a draft',
  generated: 'Generated',
  off: 'Disabled',
};

/** Returns the address for editing a file. A site file is edited as its draft. */
export const address = (path) => {
  const isPublished = path.startsWith('site-files/') && !path.endsWith('.draft');
  return `#/open/${`${path}${isPublished ? '.draft' : ''}`.split('/').map(encodeURIComponent).join('/')}`;
};

/** Names of the kinds of files. */
const NOUNS = { item: 'item', page: 'page', 'site-file': 'site file' };

/** Shows all files of a kind, with a search over titles, tags and paths. */
export function showList(main, site, kind) {
  const noun = NOUNS[kind];
  const files = site.files.filter((file) => file.kind === kind);
  const body = element('tbody');
  const count = element('p', { role: 'status', class: 'soft' });
  const search = element('input', { type: 'search', id: 'search', autocomplete: 'off' });
  const status = element('select', { id: 'status' }, element('option', { value: '' }, 'Any status'));
  for (const [value, name] of Object.entries(STATUS)) {
    if (files.some((file) => file.status === value)) status.append(element('option', { value }, name));
  }
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = files.filter((file) => {
      const text = [file.title, file.path, ...(file.tags ?? [])].join(' ').toLowerCase();
      return words.every((word) => text.includes(word)) && (!status.value || file.status === status.value);
    });
    count.textContent = found.length === 1 ? `1 ${noun}` : `${found.length} ${noun}s`;
    body.replaceChildren(...found.map(row));
  };
  search.addEventListener('input', fill);
  status.addEventListener('change', fill);
  main.replaceChildren(
    element('h1', {}, `${noun[0].toUpperCase()}${noun.slice(1)}s`),
    newFile(kind, noun),
    element(
      'div',
      { class: 'filter', role: 'search' },
      element('label', { for: 'search' }, 'Search'),
      search,
      element('label', { for: 'status' }, 'Status'),
      status,
    ),
    count,
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...['Title', 'Status', 'Date'].map((name) => element('th', { scope: 'col' }, name)))),
      body,
    ),
  );
  fill();
}

function row(file) {
  const date = file.date ? new Date(file.date) : null;
  return element(
    'tr',
    {},
    element('td', {}, element('a', { href: address(file.path), dir: 'auto' }, file.title || file.path)),
    element('td', {}, element('span', { class: `status ${file.status}` }, STATUS[file.status])),
    element('td', {}, date ? element('time', { datetime: file.date }, date.toLocaleDateString(undefined, { dateStyle: 'medium' })) : ''),
  );
}

function newFile(kind, noun) {
  const example = kind === 'site-file' ? { placeholder: 'humans.txt', spellcheck: 'false', autocapitalize: 'off' } : { dir: 'auto' };
  const title = element('input', { id: 'new-title', required: '', autocomplete: 'off', ...example });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const form = element(
    'form',
    { class: 'filter' },
    element('label', { for: 'new-title' }, `New ${noun}`),
    title,
    element('button', {}, 'Start a draft'),
    wrong,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const { path } = await ask('create', { kind, title: title.value });
      location.hash = address(path);
    } catch (error) {
      wrong.textContent = error.message;
    }
  });
  return form;
}

/** Shows the problems that `check` reports, and keeps them up to date. */
export function showFaults(main, site) {
  const list = element('ul', { class: 'faults' });
  const none = element('p', {}, 'No errors or warnings.');
  let shown;
  const fill = ({ faults, elsewhere }) => {
    if (JSON.stringify(faults) === shown) return;
    shown = JSON.stringify(faults);
    none.hidden = faults.length > 0;
    list.replaceChildren(...faults.map((one) => fault(one, elsewhere)));
  };
  main.replaceChildren(element('h1', {}, 'Check'), none, list);
  fill(site.check);
  const timer = setInterval(() => document.hidden || ask('faults').then(fill, () => {}), AGAIN);
  return () => {
    clearInterval(timer);
    return true;
  };
}

/** Returns a problem with a link to its file, or with the source line if this editor cannot edit the file. */
export function fault({ severity, message, file, line, help, source_line: text }, elsewhere = []) {
  const place = `${file}${line ? `:${line}` : ''}`;
  const there = elsewhere.includes(file) ? element('code', {}, place) : element('a', { href: address(file ?? '') }, place);
  return element(
    'li',
    { class: severity },
    element('p', {}, element('strong', {}, severity === 'error' ? 'Error: ' : 'Warning: '), message),
    file ? element('p', {}, there) : '',
    text && elsewhere.includes(file) ? element('pre', {}, text) : '',
    help ? element('p', { class: 'soft' }, help) : '',
  );
}
