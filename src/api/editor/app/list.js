// Lists: what can be edited, and what is wrong with the site.

import { ask } from './server.js';
import { element } from './page.js';

const STATUS = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  unlisted: 'Unlisted',
  unreadable: 'Cannot be read',
};

export const address = (path) => `#/open/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Shows all files of a kind, with a search over titles, tags and paths. */
export function showList(main, site, kind) {
  const noun = kind === 'item' ? 'item' : 'Page';
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
    element('h1', {}, kind === 'item' ? 'Items' : 'Pages'),
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
  const title = element('input', { id: 'new-title', required: '', autocomplete: 'off', dir: 'auto' });
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

/** Shows what `check` says. */
export function showFaults(main, site) {
  const faults = site.faults.map((fault) =>
    element(
      'li',
      { class: fault.severity },
      element('p', {}, element('strong', {}, fault.severity === 'error' ? 'Error: ' : 'Warning: '), fault.message),
      fault.file
        ? element('p', {}, element('a', { href: address(fault.file) }, `${fault.file}${fault.line ? `:${fault.line}` : ''}`))
        : '',
      fault.help ? element('p', { class: 'soft' }, fault.help) : '',
    ),
  );
  main.replaceChildren(
    element('h1', {}, 'Check'),
    faults.length ? element('ul', { class: 'faults' }, ...faults) : element('p', {}, 'Nothing is wrong with this site.'),
  );
}
