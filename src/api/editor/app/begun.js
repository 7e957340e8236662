// Drafts that begin with files: uploads the files, and takes over the tags of a recording.

import { ask } from './server.js';
import { button, element, tell } from './page.js';
import { address } from './list.js';
import { kindOf, markdownOf } from './media.js';
import { described } from './alternative.js';
import { capital, count, listed } from './navigation.js';
import { inShow } from './shows.js';

// Forms of the drafts that were begun here, and the files that wait for the draft to open, by path.
const forms = new Map();
const handed = new Map();

/** Returns the form that a draft was begun with. */
export const begunAs = (path) => forms.get(path);

/**
 * Creates a draft for files, and returns its path. Each file is `given` with its `caption` and `alternative` text. The
 * title is `provisional` if it is only the name of a file.
 */
export async function create(form, title, files = [], provisional = false) {
  const language = document.getElementById('new-language')?.value;
  const { path } = await ask('create', { kind: 'item', title, language, folder: form !== 'post', numbered: form === 'episode', provisional, ...inShow() });
  forms.set(path, form);
  if (files.length) handed.set(path, files);
  return path;
}

export const openDraft = (path) => (location.hash = address(path));

/** Turns the name of a file into a title: “low-tide_2.mp3” is “Low tide 2”. */
export function titleOf(name) {
  const words = name.replace(/\.[^.]+$/, '').replace(/[-_\s]+/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(words) ? capital(words) : 'Untitled';
}

/** Uploads the files that were chosen for a draft: the first is its attachment, and the others are in its text. */
export async function takeHanded(file) {
  const files = handed.get(file.path) ?? [];
  handed.delete(file.path);
  if (!files.length) return;
  const title = document.getElementById('field-title');
  title?.focus();
  title?.select();
  for (const { given, caption = '', alternative = '' } of files) {
    const kept = await file.sending.add(file.path, given);
    if (!kept) continue;
    if (file.values.attachment) {
      append(file.area, captioned(described(markdownOf(given, kept), alternative), caption));
    } else {
      await file.edit(['attachment'], kept.reference);
      if (alternative) await file.edit(['image'], { url: kept.reference, alt: alternative });
      if (caption) append(file.area, `${caption}\n\n`);
      await takeTags(file, given, kept.reference);
    }
    tell(`${given.name} was added.`);
  }
}

/** Adds a caption to the Markdown of a picture. */
const captioned = (markdown, caption) => (caption ? markdown.replace(/\)$/, () => ` "${caption.replace(/["\\]/g, '\\$&')}")`) : markdown) + '\n';

/** Adds lines at the end of a text, and leaves the caret where it is. */
function append(area, text) {
  const end = area.value.length;
  area.setRangeText(`${/[^\n]$/.test(area.value) ? '\n' : ''}${text}`, end, end, 'preserve');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Takes over the title, the chapters, the cover and the numbers in the tags of a recording, unless the author has written
 * them. Says what was taken.
 */
export async function takeTags(file, given, reference) {
  if (!['audio', 'video'].includes(kindOf(reference))) return;
  const said = await ask('tags', { path: file.path, reference, cover: !file.values.image }).catch(() => null);
  if (!said) return;
  if (said.problem) return note(file, `${given.name} cannot be played: it is ${said.problem}. Choose another file as the recording; everything else stays.`, 'alert');
  const taken = [];
  const take = async (name, keys, value) => {
    if (value === null || value === undefined || value.length === 0) return;
    taken.push(name);
    await file.edit(keys, value);
  };
  const { podcast = {} } = file.values;
  if (said.title && replaceTitle(file, titleOf(given.name), said.title)) await take('the title', ['title'], said.title);
  if (!('chapters' in podcast)) await take(count(said.chapters.length, 'chapter'), ['podcast', 'chapters'], said.chapters);
  if (!file.values.image) await take('the cover', ['image'], said.image);
  if (podcast.season === undefined && podcast.episode === undefined) {
    await take('the season', ['podcast', 'season'], said.season);
    await take('the number', ['podcast', 'episode'], said.episode);
  }
  if (taken.length) note(file, `${capital(listed(taken))} ${taken.length > 1 || /^(?!1 )\d/.test(taken[0]) ? 'come' : 'comes'} from the recording. Change or remove any of it as you like.`);
}

/** Shows a new title if the old one is only the name of the file. Returns whether it was. */
function replaceTitle(file, old, title) {
  const input = document.getElementById('field-title');
  const isOpen = file.main.isConnected && input;
  if ((isOpen ? input.value.trim() : file.values.title) !== old || title === old) return false;
  const hasFocus = isOpen && document.activeElement === input;
  if (isOpen) input.value = title;
  if (hasFocus) input.select();
  return true;
}

function note(file, words, role = 'status') {
  const own = element('div', { class: role === 'alert' ? 'trouble' : 'taken', role }, element('p', { dir: 'auto' }, words), button('Close', () => own.remove()));
  file.sending.list.after(own);
}
