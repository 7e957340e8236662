// Fields with several entries, fields that name files, and suggestions of existing values.

import { element, unfold } from './page.js';
import { squareOf } from './cover.js';
import { helpOf } from './labels.js';
import { kindOf } from './media.js';
import { suggestionsOf } from './people.js';
import { chaptersOf } from './chapter_rows.js';

const at = (values, keys) => keys.reduce((value, key) => value?.[key], values);

/** Singular names of list entries. */
const ONE = { people: 'person', chapters: 'chapter', transcripts: 'transcript', authors: 'author', soundbites: 'soundbite', attendees: 'guest', contentLinks: 'link' };

/** Returns the rows of a list. Each row has the fields of an entry, which can be added, moved and removed. */
export function rowsOf(context, keys, part, name, fieldOf) {
  const key = keys.at(-1);
  const id = `field-${keys.join('-')}`;
  const isTimed = key === 'chapters';
  const [list, wrong] = [element('ol', { class: isTimed ? 'rows timed' : 'rows' }), element('p', { class: 'wrong', id: `${id}-wrong` })];
  const one = ONE[key] ?? 'entry';
  const add = element('button', { type: 'button', class: 'quiet', id }, `Add ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`);
  const count = element('span', { class: 'soft' });
  let [held, fields, of] = [[], [], null];
  const recording = () => (isTimed ? context.media.recording() : null);
  const set = (next) => {
    // Players require that chapters are in order.
    if (isTimed) next.sort((a, b) => Number(a.startTime ?? Infinity) - Number(b.startTime ?? Infinity));
    recording()?.forget();
    held = next;
    const whole = next.filter((entry) => (typeof entry === 'object' ? Object.keys(entry).length : entry));
    context.change(keys, whole.length ? whole : null);
  };
  const inner = {
    ...context,
    change: (deep, value) => {
      const [index, ...rest] = deep.slice(keys.length);
      const next = structuredClone(held);
      next[index] = known(context, keys, rest, value, next[index]) ?? changed(next[index], rest, value);
      set(next);
      build();
    },
  };
  const build = () => {
    const focused = document.activeElement?.id;
    inner.fields = fields = [];
    list.replaceChildren(...held.map(row));
    for (const field of fields) field.show(at(held, field.keys.slice(keys.length)));
    of = recording();
    count.textContent = held.length ? ` (${held.length})` : '';
    recording()?.show(chapters);
    suggestions?.show(held);
    if (focused?.startsWith(`${id}-`)) document.getElementById(focused)?.focus();
  };
  const replaceAll = (next) => {
    set(next);
    build();
  };
  const suggestions = key === 'people' && context.choices?.people
    ? suggestionsOf(context, (people) => {
        replaceAll([...held, ...people]);
        (suggestions.view.querySelector('button') ?? add).focus();
      })
    : null;
  const row = (entry, index) => {
    const title = (typeof entry === 'object' ? entry.name ?? entry.title ?? entry.url ?? '' : entry) || `${one} ${index + 1}`;
    const button = (words, action) => {
      const made = element('button', { type: 'button', class: 'quiet small', 'aria-label': `${words} ${title}` }, words);
      made.addEventListener('click', action);
      return made;
    };
    const move = () => replaceAll(held.map((other, own) => (own === index - 1 ? entry : own === index ? held[index - 1] : other)));
    const remove = () => {
      replaceAll(held.filter((_, own) => own !== index));
      add.focus();
    };
    const play = recording() && entry.startTime !== undefined ? [button('Play', () => recording().play(Number(entry.startTime) || 0))] : [];
    const write = context.media.writeAt?.(entry?.url ?? entry);
    const more = write ? [element('a', { href: write }, 'Edit with the player')] : [];
    return element(
      'li',
      { 'aria-label': title },
      fieldOf(inner, [...keys, index], part.items),
      element('div', { class: 'tools' }, ...play, ...more, ...(index && !isTimed ? [button('Move up', move)] : []), button('Remove', remove)),
    );
  };
  const begin = (entry) => {
    const next = [...held, entry];
    held = next;
    if (entry.startTime !== undefined) set(next);
    build();
    unfold(add);
    list.children[next.indexOf(entry)]?.querySelector(entry.startTime === undefined ? 'input' : 'input[id$=title]')?.focus();
  };
  add.addEventListener('click', () => begin({}));
  const show = (value) => {
    const next = value === undefined || value === null ? [] : [value].flat();
    // A new entry is not in the file until one of its fields has a value.
    const written = held.filter((entry) => typeof entry !== 'object' || Object.keys(entry).length);
    details.hidden = isTimed && !next.length && !context.media.sound();
    if (JSON.stringify(next) === JSON.stringify(written) && of === recording()) return recording()?.show(chapters);
    held = next;
    build();
  };
  const tell = (words) => {
    if (words && words !== wrong.textContent) unfold(add);
    wrong.textContent = words;
  };
  context.fields.push({ keys, show, tell });
  const help = element('p', { class: 'help' }, helpOf(context.name, keys, part));
  suggestions?.show(held);
  const isOpen = context.name === 'episode' && suggestions && !suggestions.view.hidden;
  const details = element('details', { class: 'group', ...(isOpen && { open: '' }) }, element('summary', {}, name, count), help, wrong, list, ...(suggestions ? [suggestions.view] : []), add);
  const chapters = isTimed && chaptersOf(context.media, list, { held: () => held, set: replaceAll, begin });
  if (isTimed) details.addEventListener('keydown', (event) => recording()?.key(event));
  return details;
}

/** Returns the values of a file with further changes, so that no field shows an older value meanwhile. */
export function withChanges(values, changes) {
  return changes.reduce((all, { keys, value }) => changed(all, keys, value), changes.length ? structuredClone(values) : values);
}

/** Returns an entry with one field changed. */
function changed(entry, [key, ...rest], value) {
  if (key === undefined) return value ?? {};
  const table = typeof entry === 'object' && entry !== null ? entry : {};
  if (value === null && !rest.length) {
    delete table[key];
    return table;
  }
  table[key] = changed(table[key], rest, value);
  return table;
}

/** Fills in the role and the address of a person whose name is already used in the site. */
function known({ choices }, keys, rest, value, entry) {
  const isNew = typeof entry !== 'object' || Object.keys(entry ?? {}).length === 0;
  if (keys.at(-1) !== 'people' || !isNew || (rest.length && rest[0] !== 'name')) return null;
  const person = choices.people.find(({ name }) => name === value);
  return person ? Object.fromEntries(Object.entries(person).filter(([, held]) => held)) : null;
}

const FILES = ['attachment', 'attachments', 'avatar', 'banner_image', 'chapters', 'favicon', 'icon', 'image', 'images', 'img', 'sources', 'transcripts'];
const PICTURES = ['avatar', 'banner_image', 'favicon', 'icon', 'image', 'images', 'img'];

// What is attached to an item, by its form.
const ATTACHED = { episode: 'audio/*,video/*', photo: 'image/*' };

/** Returns the name of a field, or of the list that contains it. */
const nameIn = (keys) => keys.findLast((key) => typeof key === 'string');

/** Returns whether a field names a file. */
export const isFile = (keys) => FILES.includes(nameIn(keys));

/** Returns the id of the suggestions for a field, or null if there are none. */
export function listOf(keys, choices) {
  const name = { role: 'roles', group: 'groups', license: 'licenses', identifier: 'licenses', people: 'people', timeZone: 'zones' }[nameIn(keys)];
  if (name && choices[name]) return `choices-${name}`;
  if (!isFile(keys)) return null;
  return PICTURES.includes(nameIn(keys)) ? 'choices-images' : 'choices-files';
}

/** Returns the suggestions as `datalist` elements. */
export function listsOf(choices) {
  const images = choices.files.filter(({ category }) => category === 'image');
  const named = (files) => files.map(({ reference }) => reference);
  const lists = { roles: choices.roles, groups: choices.groups, licenses: choices.licenses, people: choices.people.map(({ name }) => name), images: named(images), files: named(choices.files), ...(choices.zones && { zones: choices.zones }) };
  return Object.entries(lists).map(([name, all]) => element('datalist', { id: `choices-${name}` }, ...all.map((value) => element('option', { value }))));
}

/**
 * Suggests existing tags for the last of several tags. A `datalist` only completes the whole input, so each option
 * includes the earlier tags.
 */
export function offerTags(input, tags) {
  const list = document.createElement('datalist');
  const offer = () => {
    const before = input.value.slice(0, input.value.lastIndexOf(',') + 1);
    const has = before.split(',').map((tag) => tag.trim());
    const others = tags.filter((tag) => !has.includes(tag));
    list.replaceChildren(...others.map((tag) => element('option', { value: `${before}${before && ' '}${tag}` })));
  };
  list.id = 'choices-tags';
  input.setAttribute('list', list.id);
  for (const name of ['focus', 'input']) input.addEventListener(name, offer);
  input.after(list);
}

/** Extends a field that names a file: a file can be dropped on it or chosen, and is shown or played. */
export function withFile({ media, name }, keys, control, field) {
  const isPicture = PICTURES.includes(nameIn(keys));
  const isMain = keys.join() === 'attachment';
  const accept = { transcripts: '.vtt,.srt,.json,.txt,.html', chapters: '.json,.txt' }[nameIn(keys)] ?? (isPicture ? 'image/*' : isMain ? (ATTACHED[name] ?? '') : '');
  const file = element('input', { type: 'file', hidden: '', accept, tabindex: '-1', 'aria-hidden': 'true' });
  const choose = element('button', { type: 'button', class: 'quiet small' }, 'Choose a file');
  const square = element('button', { type: 'button', class: 'quiet small', hidden: '' }, 'Crop to a square');
  const look = element('div', { class: 'medium' });
  const take = async (chosen) => {
    const kept = chosen && (await media.send(chosen));
    if (!kept) return;
    control.input.value = kept.reference;
    control.input.dispatchEvent(new Event('change', { bubbles: true }));
    if (keys.join() === 'attachment') media.taken(chosen, kept.reference);
  };
  choose.addEventListener('click', () => file.click());
  file.addEventListener('change', () => take(file.files[0]));
  square.addEventListener('click', async () => take(await squareOf(media.addressOf(control.input.value), control.input.value.split('/').at(-1))));
  field.addEventListener('dragover', (event) => event.preventDefault());
  field.addEventListener('drop', (event) => {
    const [dropped] = event.dataTransfer.files;
    if (!dropped) return;
    event.preventDefault();
    event.stopPropagation();
    if (isMain && media.recording() && !kindOf(dropped.name)) media.import(dropped);
    else take(dropped);
  });
  const { show } = control;
  let seen;
  const own = field.querySelector('.help');
  own.after(element('div', { class: 'tools' }, choose, square, file), look);
  if (isMain) field.firstElementChild.after(look);
  control.show = (value) => {
    show(value);
    const reference = typeof value === 'object' && value !== null ? value.url ?? value.href : value;
    if (reference === seen) return;
    seen = reference;
    const medium = (isMain && media.recording()?.view) || media.shown(reference);
    look.replaceChildren(...(medium ? [medium] : []));
    const isCut = isPicture && kindOf(reference) === 'image' && !/\.svg$/i.test(reference) && medium;
    square.hidden = true;
    if (isCut) medium.addEventListener('load', () => (square.hidden = medium.naturalWidth === medium.naturalHeight));
  };
}
