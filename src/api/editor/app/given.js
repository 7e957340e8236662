// Files that a person adds to a text: uploads them and adds a reference. Also the media functions that fields need.

import { ask } from './server.js';
import { element, tell } from './page.js';
import { addressOf, kindOf, markdownOf, shown, takeDrops } from './media.js';
import { importInto, isTimed, offerImport } from './imports.js';
import { recordingOf, soundOf } from './sound.js';
import { type } from './writing.js';
import { askAlternative, described } from './alternative.js';
import { takeTags } from './begun.js';
import { isDraft } from './visibility.js';

/** Returns the functions for files that the fields of a form need. */
export function mediaOf(file) {
  const folder = file.path.split('/').slice(0, -1).join('/');
  const sound = () => soundOf(file.values);
  const pathOf = (reference) => (reference.startsWith('/media/') ? `content${reference}` : `${folder}/${reference}`);
  const writeAt = (reference) => {
    if (typeof reference !== 'string' || !/\.(vtt|srt)$|chapters[^/]*\.(json|txt)$/i.test(reference) || /^\w+:/.test(reference)) return null;
    return `#/open/${[...pathOf(reference).split('/'), '', ...file.path.split('/')].map(encodeURIComponent).join('/')}`;
  };
  // The names and addresses of the files that belong to the recording.
  const links = () => {
    const { chapters, transcripts } = file.values.podcast ?? {};
    const linked = (held, name) => [held ?? []].flat().map((one) => [name, writeAt(one.url ?? one)]);
    return [...linked(chapters, 'Edit the chapters'), ...linked(transcripts, 'Edit the transcript')].filter(([, href]) => href);
  };
  let recording = null;
  return {
    send: (given) => file.sending.add(file.path, given),
    taken: async (given, reference) => {
      await file.edits;
      if (isDraft(file.values)) await takeTags(file, given, reference);
    },
    addressOf: (reference) => addressOf(file.path, reference),
    shown: (reference) => shown(file.path, reference),
    sound,
    /** Returns the recording with its player and its waveform, or null. */
    recording: () => {
      if (recording?.of !== sound()) {
        recording = recordingOf(file.path, file.values);
        if (recording) offerImport(file, recording);
      }
      recording?.link(links());
      return recording;
    },
    /** Returns the text of a file that the document names. */
    textOf: async (reference) => {
      const there = await ask('open', { path: pathOf(reference) }).catch(() => null);
      return there ? there.head + there.body : '';
    },
    writeAt,
    import: (given) => importInto(file, given),
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
    if (isItem && isTimed(given.name)) {
      await importInto(file, given);
      continue;
    }
    const isInText = !isItem || Boolean(file.values.image);
    const question = isInText && given.type.startsWith('image/') ? askAlternative(file.area, given) : null;
    const kept = await file.sending.add(file.path, given);
    if (!kept) question?.end();
    const alternative = await question?.answer;
    if (!kept) continue;
    const { attachment } = file.values;
    const kind = kindOf(kept.reference);
    if (isItem && ['audio', 'video'].includes(kind) && !attachment) {
      await file.edit(['attachment'], kept.reference);
      if (isDraft(file.values)) await takeTags(file, given, kept.reference);
    }
    else if (isItem && kind === 'image' && !file.values.image) await file.edit(['image'], kept.reference);
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
