// The lists of editable files, and the list of the site's problems.

import { ask } from './server.js';
import { element } from './page.js';
import { languageChoice, languageMark } from './languages.js';
import { addressOf } from './media.js';
import { capital, count as counted, nounOf, nounOfAll, setCount } from './navigation.js';
import { inShow, showMark } from './shows.js';

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
const NOUNS = { page: 'page', 'site-file': 'site file' };

const NOTHING = {
  episode: 'No episodes yet. Start the first one with a recording, or with its title.',
  photo: 'No photos yet. Choose some, and the first is ready to publish.',
  post: 'No posts yet. The first needs only a title.',
  page: 'No pages yet. A page is for what stays, such as “About”.',
};

/** Shows all files of a kind, with a search over titles, tags and paths. */
export function showList(main, site, kind) {
  const noun = NOUNS[kind] ?? nounOfAll(site);
  const files = sorted(site, kind);
  const body = element('tbody');
  const count = element('p', { role: 'status', class: 'soft' });
  const search = element('input', { type: 'search', id: 'search', autocomplete: 'off' });
  const status = element('select', { id: 'status' }, element('option', { value: '' }, 'Any status'));
  for (const [value, name] of Object.entries(STATUS)) {
    if (files.some((file) => file.status === value)) status.append(element('option', { value }, name));
  }
  const language = kind === 'site-file' ? null : languageChoice(site, 'language', 'All languages');
  const none = element('p', { class: 'empty', hidden: '' });
  const list = filesTable(body, files);
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = files.filter((file) => {
      const text = [file.title, file.path, ...(file.tags ?? [])].join(' ').toLowerCase();
      const isIn = (select, own) => !select?.value || own === select.value;
      return words.every((word) => text.includes(word)) && isIn(status, file.status) && isIn(language?.select, file.language);
    });
    count.textContent = counted(found.length, noun);
    list.hidden = !found.length;
    none.hidden = found.length > 0;
    none.textContent = files.length ? `No ${noun} matches. Try other words or filters.` : NOTHING[kind === 'item' ? site.subject : kind] ?? '';
    body.replaceChildren(...found.map((file) => row(file)));
  };
  search.addEventListener('input', fill);
  status.addEventListener('change', fill);
  language?.select.addEventListener('change', fill);
  const begin = kind === 'item' ? newLink(site) : newFile(kind, noun, site);
  const filter = element(
    'div',
    { class: 'filter', role: 'search' },
    element('label', { for: 'search' }, 'Search'),
    search,
    element('label', { for: 'status' }, 'Status'),
    status,
    ...(language ? [language.label, language.select] : []),
  );
  main.replaceChildren(
    element('div', { class: 'heading' }, element('h1', {}, `${capital(noun)}s`), begin),
    ...(files.length ? [filter, count] : []),
    none,
    list,
  );
  fill();
}

/** Returns the link to a new item, which is the main action of a view. */
export const newLink = ({ subject }) => element('a', { href: '#/new', class: 'primary' }, `New ${nounOf(subject)}`);

/** Returns the files of a kind. Items are sorted newest first, after those without a date. */
export function sorted(site, kind) {
  const files = site.files.filter((file) => file.kind === kind);
  const date = (file) => (file.date ? Date.parse(file.date) : Infinity);
  return kind === 'item' ? files.sort((a, b) => (date(a) === date(b) ? 0 : date(b) - date(a))) : files;
}

const COLUMNS = ['Title', 'Status', 'Number', 'Duration', 'Date'];

/** Returns a table of files. On a narrow screen, each row is two lines. */
export function filesTable(body, files, label) {
  const head = element('thead', {}, element('tr', { role: 'row' }, ...COLUMNS.map((name) => element('th', { scope: 'col', role: 'columnheader', class: `of-${name.toLowerCase()}` }, name))));
  // The roles remain where the style sheet lays rows out as a grid.
  body.setAttribute('role', 'rowgroup');
  head.setAttribute('role', 'rowgroup');
  const isPlain = files.every(({ episode, season, duration }) => episode == null && season == null && duration == null);
  return element('table', { class: isPlain ? 'files is-plain' : 'files', role: 'table', ...(label && { 'aria-label': label }) }, head, body);
}

/** Returns the row of a file. */
export function row(file) {
  const cell = (name, ...children) => element('td', { class: name, role: 'cell' }, ...children);
  const date = file.date ? new Date(file.date) : null;
  return element(
    'tr',
    { role: 'row' },
    cell('of-title', element('div', {}, file.kind === 'item' ? thumbnail(file) : '', element('a', { href: address(file.path), dir: 'auto' }, file.title || file.path), languageMark(file), showMark(file))),
    cell('of-status', element('span', { class: `status ${file.status}` }, STATUS[file.status])),
    cell('of-number', numberOf(file)),
    cell('of-duration', file.duration ? durationOf(file.duration) : ''),
    cell('of-date', date ? element('time', { datetime: file.date }, date.toLocaleDateString(undefined, { dateStyle: 'medium' })) : ''),
  );
}

/** Returns the small picture of an item, or a square with the initial of its form. */
function thumbnail(file) {
  const none = element('span', { class: `thumb ${file.form ?? ''}`, 'aria-hidden': 'true' }, capital(nounOf(file.form))[0]);
  const source = addressOf(file.path, file.image);
  if (!source) return none;
  const picture = element('img', { class: 'thumb', alt: '', width: '48', height: '48', loading: 'lazy', decoding: 'async', src: `${source}&small` });
  picture.addEventListener('error', () => picture.replaceWith(none));
  return picture;
}

/** Returns the season and the number of an episode, such as S2 E8. */
function numberOf({ season, episode }) {
  const words = [season != null && ['Season', season], episode != null && ['Episode', episode]].filter(Boolean);
  return element('span', {}, ...words.flatMap(([name, value], at) => [at ? ' ' : '', element('abbr', { title: `${name} ${value}` }, `${name[0]}${value}`)]));
}

/** Formats seconds as 12:34 or 1:02:03. */
function durationOf(seconds) {
  const [whole, two] = [Math.round(seconds), (number) => String(number).padStart(2, '0')];
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function newFile(kind, noun, site) {
  const example = kind === 'site-file' ? { placeholder: 'humans.txt', spellcheck: 'false', autocapitalize: 'off' } : { dir: 'auto' };
  const title = element('input', { id: 'new-title', required: '', autocomplete: 'off', ...example });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const language = kind === 'site-file' ? null : languageChoice(site, 'new-language');
  const form = element(
    'form',
    { class: 'filter' },
    element('label', { for: 'new-title' }, `New ${noun}`),
    title,
    ...(language ? [language.label, language.select] : []),
    element('button', {}, 'Start a draft'),
    wrong,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const { path } = await ask('create', { kind, title: title.value, language: language?.select.value, ...inShow() });
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
  const none = element('p', {}, 'No problems: everything can be published.');
  let shown;
  const fill = ({ faults, elsewhere }) => {
    if (JSON.stringify(faults) === shown) return;
    shown = JSON.stringify(faults);
    none.hidden = faults.length > 0;
    setCount('faults', faults.length);
    list.replaceChildren(...faults.map((one) => fault(one, elsewhere)));
  };
  main.replaceChildren(element('h1', {}, 'Problems'), none, list);
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
