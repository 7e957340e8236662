// The view that begins an item: with a recording, with photos, or only with a title.

import { ask } from './server.js';
import { button, element, tell } from './page.js';
import { address } from './list.js';
import { kindOf, markdownOf, takeDrops } from './media.js';
import { capital, nounOf } from './navigation.js';
import { type } from './writing.js';

// The files with which an item begins, and the fields that name them.
const MEDIA = {
  episode: { kinds: ['audio', 'video'], accept: 'audio/*,video/*', ask: 'Drop the recording here, or', choose: 'Choose a recording' },
  photo: { kinds: ['image'], accept: 'image/*', ask: 'Drop photos here, or', choose: 'Choose photos' },
};

// Files that were chosen for a draft, by its path. They are uploaded when the draft is open.
const handed = new Map();

/** Shows the view for a new item of a form, or of what the site is about. */
export function showNew(main, site, wanted) {
  const form = ['episode', 'photo', 'post'].includes(wanted) ? wanted : nounOf(site.subject);
  const media = MEDIA[form];
  const title = element('input', { id: 'new-title', required: '', autocomplete: 'off', dir: 'auto' });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const files = media ? chooser(media, form, (name) => (title.value.trim() ? null : (title.value = name))) : { chosen: () => [], parts: [] };
  const start = element('button', {}, 'Start the draft');
  const own = element(
    'form',
    { class: 'begin' },
    ...files.parts,
    element('div', { class: 'field' }, element('label', { for: 'new-title' }, 'Title'), title),
    form === 'episode' && site.next ? element('p', { class: 'help' }, `It will be ${site.next.season == null ? '' : `season ${site.next.season}, `}episode ${site.next.episode}.`) : '',
    wrong,
    element('div', { class: 'tools' }, start, element('span', { class: 'soft' }, 'Only you see a draft.')),
    element('p', { class: 'soft others' }, 'Something else? ', ...others(form)),
  );
  own.addEventListener('submit', async (event) => {
    event.preventDefault();
    start.disabled = true;
    try {
      const folder = { folder: form !== 'post', numbered: form === 'episode' };
      const { path } = await ask('create', { kind: 'item', title: title.value, ...folder });
      if (files.chosen().length) handed.set(path, files.chosen());
      if (main.isConnected) location.hash = address(path);
    } catch (error) {
      start.disabled = false;
      wrong.textContent = error.message;
    }
  });
  main.replaceChildren(element('h1', {}, `New ${form}`), own);
  title.focus();
}

const others = (form) =>
  ['episode', 'post', 'photo'].filter((other) => other !== form).flatMap((other, at) => [at ? ' · ' : '', element('a', { href: `#/new/${other}` }, capital(other))]);

/** Returns the area where files are dropped or chosen, and a function that returns the chosen files. */
function chooser({ kinds, accept, ask: words, choose }, form, suggest) {
  let chosen = [];
  const names = element('ul', { class: 'plain', 'aria-label': 'Chosen files' });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const input = element('input', { type: 'file', accept, ...(form === 'photo' && { multiple: '' }), hidden: '', 'aria-label': choose });
  const take = (files) => {
    const fitting = files.filter((file) => kinds.includes(kindOf(file.name)) || kinds.some((kind) => file.type.startsWith(`${kind}/`)));
    wrong.textContent = fitting.length < files.length ? `${files.find((file) => !fitting.includes(file)).name} is not ${form === 'photo' ? 'a picture' : 'a recording'}: other files can be added later.` : '';
    if (!fitting.length) return;
    chosen = form === 'photo' ? [...chosen, ...fitting] : fitting.slice(0, 1);
    names.replaceChildren(...chosen.map((file) => element('li', { dir: 'auto' }, file.name)));
    suggest(titleOf(chosen[0].name));
    document.getElementById('new-title')?.select();
  };
  input.addEventListener('change', () => take([...input.files]));
  const zone = element('div', { class: 'zone' }, element('p', {}, words), button(choose, () => input.click()), input, names, wrong);
  takeDrops(zone, take);
  return { chosen: () => chosen, parts: [zone] };
}

/** Turns the name of a file into a title: “low-tide_2.mp3” is “Low tide 2”. */
function titleOf(name) {
  const words = name.replace(/\.[^.]+$/, '').replace(/[-_\s]+/g, ' ').trim();
  return words && capital(words);
}

/** Uploads the files that were chosen for a draft: the first is its attachment, and the others are in its text. */
export async function takeHanded(file) {
  const files = handed.get(file.path) ?? [];
  handed.delete(file.path);
  for (const given of files) {
    const kept = await file.sending.add(file.path, given);
    if (!kept) continue;
    if (file.values.attachment) type(file.area, `${markdownOf(given, kept)}\n\n`);
    else await file.edit(['attachment'], kept.reference);
    tell(`${given.name} was added.`);
  }
}
