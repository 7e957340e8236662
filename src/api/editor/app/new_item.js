// The view that begins an item: with a recording, with photos, or only with a title.

import { sentenceOf } from './server.js';
import { button, element, tell } from './page.js';
import { create, openDraft, titleOf } from './begun.js';
import { languageChoice } from './languages.js';
import { kindOf, takeDrops } from './media.js';
import { capital, nounOf } from './navigation.js';
import { photosView } from './photos.js';

// The files with which an item begins.
const MEDIA = {
  episode: { kinds: ['audio', 'video'], accept: 'audio/*,video/*', words: 'Drop the recording here, or', choose: 'Choose a recording', one: 'a recording' },
  photo: { kinds: ['image'], accept: 'image/*', words: 'Drop photos here, or', choose: 'Choose photos', one: 'a picture' },
};

const isOf = ({ kinds }) => (file) => kinds.includes(kindOf(file.name)) || kinds.some((kind) => file.type.startsWith(`${kind}/`));

// Files that were dropped on another view, for the next view of a new item.
let dropped = [];
// The title that was typed, for the next view of a new item: of another form, or in another show.
let typed = '';

/** Begins an item with files that are dropped on another view: an episode with a recording, a photo with pictures. */
export function beginWith(files) {
  const form = Object.keys(MEDIA).find((form) => files.some(isOf(MEDIA[form])));
  if (!form) return tell(`${files[0]?.name ?? 'This'} is neither a recording nor a picture. To add it to an item, open the item first.`);
  dropped = files;
  location.hash = `#/new/${form}`;
}

/** Shows the view for a new item of a form, or of what the site is about. */
export function showNew(main, site, wanted) {
  const form = ['episode', 'photo', 'post'].includes(wanted) ? wanted : nounOf(site.subject);
  const title = element('input', { id: 'new-title', required: '', autocomplete: 'off', dir: 'auto' });
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const start = element('button', {}, 'Start the draft');
  const photos = form === 'photo' ? photosView({ label: () => start, title }) : null;
  let recording = null;
  const begin = async () => {
    start.disabled = true;
    wrong.textContent = '';
    try {
      const files = photos?.files() ?? (recording ? [{ given: recording }] : []);
      const own = title.value.trim();
      const path = await create(form, own || titleOf(files[0].given.name), files, !own);
      photos?.clear();
      if (main.isConnected) openDraft(path);
    } catch (error) {
      wrong.textContent = sentenceOf(error);
    }
    start.disabled = false;
  };
  // A draft needs nothing but a recording or a photo. Several photos are put in order first.
  const take = (files) => {
    const [given, isFirst] = [files[0], !photos?.files().length];
    if (photos) photos.add(files);
    else recording = given;
    title.required = false;
    if (!photos || (isFirst && files.length === 1)) begin();
    if (!photos) names.textContent = given.name;
  };
  const names = element('p', { dir: 'auto' });
  const zone = MEDIA[form] ? [chooser(MEDIA[form], form === 'photo', names, take)] : [];
  const language = languageChoice(site, 'new-language');
  const number = form === 'episode' && site.next ? element('p', { class: 'help' }, `It will be ${site.next.season == null ? '' : `season ${site.next.season}, `}episode ${site.next.episode}.`) : '';
  const own = element(
    'form',
    { class: 'begin' },
    ...zone,
    ...(photos ? [photos.view] : []),
    element('div', { class: 'field' }, element('label', { for: 'new-title' }, 'Title'), title),
    language ? element('div', { class: 'field' }, language.label, language.select) : '',
    number,
    wrong,
    element('div', { class: 'tools' }, start, element('span', { class: 'soft' }, 'Only you see a draft.')),
    element('p', { class: 'soft others' }, 'Something else? ', ...others(form)),
  );
  own.addEventListener('submit', (event) => {
    event.preventDefault();
    if (photos?.isEach()) photos.createEach(main, start, wrong);
    else begin();
  });
  main.replaceChildren(element('h1', {}, `New ${form}`), own);
  title.value = typed;
  title.focus();
  const files = dropped.filter(MEDIA[form] ? isOf(MEDIA[form]) : () => false);
  dropped = [];
  if (files.length) take(files);
  return async () => {
    typed = location.hash.startsWith('#/new') ? title.value : '';
    return photos ? photos.leave() : true;
  };
}

const others = (form) =>
  ['episode', 'post', 'photo'].filter((other) => other !== form).flatMap((other, at) => [at ? ' · ' : '', element('a', { href: `#/new/${other}` }, capital(other))]);

/** Returns the area where files are dropped or chosen. */
function chooser({ kinds, accept, words, choose, one }, isMany, names, take) {
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const input = element('input', { type: 'file', accept, ...(isMany && { multiple: '' }), hidden: '', 'aria-label': choose });
  const takeFitting = (files) => {
    const fitting = files.filter(isOf({ kinds }));
    wrong.textContent = fitting.length < files.length ? `${files.find((file) => !fitting.includes(file)).name} is not ${one}: other files can be added later.` : '';
    if (fitting.length) take(fitting);
  };
  input.addEventListener('change', () => takeFitting([...input.files]));
  const zone = element('div', { class: 'zone' }, element('p', {}, words), button(choose, () => input.click()), input, names, wrong);
  takeDrops(zone, takeFitting);
  return zone;
}
