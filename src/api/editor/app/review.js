// Transcripts that a program made: a link from the item, and a button that marks them as reviewed.

import { address } from './list.js';
import { button, element, tell } from './page.js';
import { ask } from './server.js';

/** Returns the action for a problem: for an item a link to the transcript, otherwise the button. */
export function reviewOf(file, fault) {
  if (fault.rule !== 'unreviewed-transcript') return '';
  if (fault.file === file.path) return button('Mark as reviewed', () => review(file), 'quiet small');
  return element('a', { href: address(`${fault.file}//${file.path}`) }, 'Review the transcript');
}

/** Removes the note from the text, and saves it with all corrections. */
async function review(file) {
  const { path, text } = file;
  const described = await ask('reviewed', { path, text }).catch((error) => tell(error.message));
  if (!described) return;
  if (file.text !== text) return review(file);
  file.fill(described);
  file.changed();
  file.main.querySelector('.play')?.focus();
  await file.save();
}
