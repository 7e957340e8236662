// The words of publishing: what changed, what went wrong, and what was done.

import { element, sentence } from './page.js';
import { count } from './navigation.js';

// Changes in the order in which they matter to readers.
const WHATS = ['new', 'due', 'scheduled', 'corrected', 'removed', 'draft'];
const VERBS = { new: 'Add', due: 'Publish', scheduled: 'Schedule', corrected: 'Edit', removed: 'Remove', draft: 'Draft', added: 'Add', edited: 'Edit', deleted: 'Delete' };
const TEXTS = ['episode', 'post', 'photo', 'page'];

export const inOrder = (a, b) => WHATS.indexOf(a.what) - WHATS.indexOf(b.what);

/** Returns the word for what happened to something: texts are corrected, settings are changed. */
export const whatOf = ({ what, noun }) => (what === 'corrected' && !TEXTS.includes(noun) ? 'changed' : what);

/** Describes changes: “1 new episode, 2 corrected pages”. Drafts are counted if there is nothing else. */
export function inWords(changes) {
  const seen = changes.filter(({ what }) => what !== 'draft');
  if (!seen.length) return count(changes.length, 'draft');
  const numbers = {};
  for (const change of seen.toSorted(inOrder)) {
    const words = `${whatOf(change)} ${change.noun}`;
    numbers[words] = (numbers[words] ?? 0) + 1;
  }
  return Object.entries(numbers).map(([words, number]) => count(number, words)).join(', ');
}

/** Suggests a commit message from the titles or names of what changed. */
export function suggested(changes) {
  const named = changes.filter(({ title }) => title);
  const verbs = Object.keys(VERBS);
  const kind = (change) => change.what ?? change.kind;
  const all = (named.length ? named : changes).toSorted((a, b) => verbs.indexOf(kind(a)) - verbs.indexOf(kind(b)));
  if (!all.length) return 'Edit the site';
  const [first, ...others] = all;
  const name = first.title?.replace(/\s+/g, ' ') ?? first.path.split('/').at(-1);
  return `${VERBS[kind(first)]} ${name}${others.length ? ` and ${others.length} more` : ''}`;
}

export function size(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; bytes >= 1000 && unit < 4; unit += 1) bytes /= 1000;
  return `${unit && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
}

/** Shows the diff of a file, without header lines that only say that a file is new or deleted. */
export function diffOf(file) {
  const names = { '+': 'ins', '-': 'del' };
  const isWhole = file.kind !== 'edited';
  const all = file.diff.split('\n').filter((line) => !(isWhole && /^(@@|(new|deleted) file mode 100644)/.test(line)));
  const shown = all.map((line) => {
    const sign = line[0] === '-' ? '−' : line[0];
    const text = /^[-+ ]/.test(line) ? `${sign} ${line.slice(1)}` : line.replace(/^(@@ .*? @@).*/, '$1');
    return element(names[line[0]] ?? 'span', {}, `${text}\n`);
  });
  const lines = element('pre', {}, ...shown, file.is_cut ? '… the rest is not shown' : '');
  return element('div', { class: 'difference', tabindex: '0', role: 'group', 'aria-label': `Changes in ${file.path}` }, lines);
}

/** Shows why something was not done, and how to fix it. */
export function trouble({ message, said, command, found }) {
  return element(
    'div',
    { class: 'trouble' },
    element('p', {}, element('strong', {}, sentence(message))),
    command ? element('pre', {}, command) : '',
    heard(said),
    Array.isArray(found) && found.length ? element('ul', {}, ...found.map((one) => element('li', {}, `${one.file ? `${one.file}: ` : ''}${one.message}`, one.help ? element('p', { class: 'soft' }, one.help) : ''))) : '',
  );
}

export const heard = (said) => (said ? element('pre', {}, said) : '');

/** Formats a time of the past. */
export const timeOf = (time) => element('time', { datetime: time }, new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }));
