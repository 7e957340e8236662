// Chapters and transcripts from other programs. The server reads their formats.

import { button, element, tell } from './page.js';
import { ask, Offline } from './server.js';

const ACCEPTED = '.json,.txt,.xml,.psc,.vtt,.srt,.html,.ffmetadata,.nhsx,text/*,application/json';

/** Returns whether a file has chapters or a transcript, by its name. */
export const isTimed = (name) => /\.(vtt|srt|psc|ffmetadata)$|(chapters|transcript)[^/]*\.(json|txt|xml|html)$/i.test(name);

/** Adds the chapters or the transcript of a file to an item. */
export async function importInto(file, given) {
  try {
    const { chapters, name, text } = await ask('import', { name: given.name, text: await given.text() });
    if (chapters) await takeChapters(file, given, chapters);
    else await takeTranscript(file, given, name, text);
  } catch (error) {
    tell(error instanceof Offline ? `${given.name} was not added, because the server does not answer: add it again.` : error.message);
  }
}

async function takeChapters(file, given, chapters) {
  const held = [file.values.podcast?.chapters ?? []].flat().length;
  if (held && !confirm(`Replace the ${held === 1 ? 'chapter' : 'chapters'} of this episode with the ${chapters.length} of ${given.name}?`)) return;
  await file.edit(['podcast', 'chapters'], chapters);
  tell(`${chapters.length} ${chapters.length === 1 ? 'chapter was' : 'chapters were'} added from ${given.name}.`);
}

async function takeTranscript(file, given, name, text) {
  const kept = await file.sending.add(file.path, new File([text], name, { type: 'text/plain', lastModified: given.lastModified }));
  if (!kept) return;
  const held = [file.values.podcast?.transcripts ?? []].flat();
  if (!held.some((one) => (one.url ?? one) === kept.reference)) await file.edit(['podcast', 'transcripts'], [...held, kept.reference]);
  tell(`${given.name} was added as the transcript ${kept.path}.`);
}

/** Adds the button that imports files to a recording. */
export function offerImport(file, recording) {
  const input = element('input', { type: 'file', hidden: '', accept: ACCEPTED, tabindex: '-1', 'aria-label': 'Chapters or transcript' });
  input.addEventListener('change', async () => {
    await importInto(file, input.files[0]);
    input.value = '';
  });
  recording.links.append(button('Import chapters or a transcript', () => input.click()), input);
}
