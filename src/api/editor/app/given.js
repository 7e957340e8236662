// Files that a person adds to a text: uploads them and adds a reference. Also the media functions that fields need.

import { ask } from './server.js';
import { element, tell } from './page.js';
import { addressOf, kindOf, markdownOf, shown, takeDrops } from './media.js';
import { soundBeside } from './sound.js';
import { type } from './writing.js';
import { askAlternative, described } from './alternative.js';

/** Returns the recording that a text names, directly or in a table with details. */
const soundOf = (values) => {
  const held = values?.attachment;
  return typeof held === 'object' && held !== null ? held.url : held;
};

/** Returns the functions for files that the fields of a form need. */
export function mediaOf(file) {
  const folder = file.path.split('/').slice(0, -1).join('/');
  const sound = () => soundOf(file.values);
  return {
    send: (given) => file.sending.add(file.path, given),
    addressOf: (reference) => addressOf(file.path, reference),
    shown: (reference) => shown(file.path, reference),
    sound,
    player: () => (['audio', 'video'].includes(kindOf(sound())) ? shown(file.path, sound()) : null),
    writeAt: (reference) => {
      if (typeof reference !== 'string' || !/\.(vtt|srt)$|chapters[^/]*\.(json|txt)$/i.test(reference) || /^\w+:/.test(reference)) return null;
      const path = reference.startsWith('/media/') ? `content${reference}` : `${folder}/${reference}`;
      return `#/open/${[...path.split('/'), '', ...file.path.split('/')].map(encodeURIComponent).join('/')}`;
    },
  };
}

/** Uploads files that are dropped or pasted, and adds references to them. */
export function takeFiles(file) {
  const side = file.main.querySelector('.write');
  takeDrops(side, (files, target) => give(file, files, target === file.area));
  file.area.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length || event.clipboardData.getData('text/plain')) return;
    event.preventDefault();
    give(file, files, true);
  });
}

/**
 * Uploads files and adds a reference to each: in its field if the field is empty, otherwise in the text. Asks for the
 * alternative text of each image in the text.
 */
export async function give(file, files, isForText = false) {
  for (const given of files) {
    const isItem = file.kind === 'item' && !isForText;
    const isInText = !isItem || Boolean(file.values.image);
    const question = isInText && given.type.startsWith('image/') ? askAlternative(file.area, given) : null;
    const kept = await file.sending.add(file.path, given);
    if (!kept) question?.end();
    const alternative = await question?.answer;
    if (!kept) continue;
    const { attachment, podcast = {} } = file.values;
    const kind = kindOf(kept.reference);
    if (isItem && ['audio', 'video'].includes(kind) && !attachment) await file.edit(['attachment'], kept.reference);
    else if (isItem && kind === 'image' && !file.values.image) await file.edit(['image'], kept.reference);
    else if (isItem && /\.(vtt|srt)$/.test(kept.reference)) await file.edit(['podcast', 'transcripts'], [...[podcast.transcripts ?? []].flat(), kept.reference]);
    else if (isItem && /chapters[^/]*\.(json|txt)$/.test(kept.reference) && !podcast.chapters) await file.edit(['podcast', 'chapters'], kept.reference);
    else type(file.area, referenceTo(file, given, kept, alternative ?? ''));
    tell(`${given.name} was saved as ${kept.path}.`);
  }
}

/** Returns the Markdown or HTML that shows or links a file. */
function referenceTo({ isMarkdown }, given, kept, alternative) {
  if (isMarkdown) return described(markdownOf(given, kept), alternative);
  const made = kept.type.startsWith('image/') ? element('img', { src: kept.reference, alt: alternative }) : element('a', { href: kept.reference }, given.name);
  return made.outerHTML;
}

/**
 * Shows the player next to a file of chapters or a transcript. Plays the recording of the text that opened it, or of
 * the index file in the same folder.
 */
export async function listen(file, given) {
  const folder = file.path.split('/').slice(0, -1).join('/');
  const from = given || file.site.files.find(({ path }) => /^index\.(md|html)$/.test(path.replace(`${folder}/`, '')))?.path;
  const text = from ? await ask('open', { path: from }).catch(() => null) : null;
  const reference = soundOf(text?.values);
  const player = ['audio', 'video'].includes(kindOf(reference)) ? shown(from, reference) : null;
  file.view.replaceChildren(soundBeside(file.area, file.path, file.kind, player));
}
