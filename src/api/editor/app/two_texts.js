// Dialogs for two versions of one file. Both are shown, and the person chooses.

import { ask } from './server.js';
import { button, element } from './page.js';
import { lines } from './difference.js';
import { forget, keep } from './kept.js';

/** Returns the whole text of a server's answer. */
export const textOf = ({ head, body }) => head + body;

/** Shows both texts after someone else has saved the file. Neither text is lost. */
export function showConflict(file, there) {
  const theirs = there.version === null ? '' : textOf(there);
  const heading = there.version === null ? 'The file was deleted elsewhere' : 'The file was changed elsewhere';
  file.open('conflict', [
    element('h2', {}, heading),
    element('p', {}, 'Lines with − are in the file now; lines with + are in your text. Your text was not saved.'),
    lines(theirs, file.text),
    element(
      'div',
      { class: 'tools' },
      button('Overwrite with my text', () => {
        file.close();
        file.saved = { text: theirs, version: there.version };
        file.save();
      }),
      button('Use the file, discard my text', () => {
        file.close();
        file.saved = { text: theirs, version: there.version };
        file.fill(there);
        file.changed();
      }),
      button('Edit my text first', () => {
        file.close();
        file.saved = { text: theirs, version: there.version };
        file.changed();
        clearTimeout(file.saving);
        file.area.focus();
      }),
    ),
  ]);
  file.panel.querySelector('button').focus();
}

/**
 * Offers a text that another window did not save. Taking it loses nothing, because the current text is stored in its
 * place.
 */
export function offer(file, { text, version, key }) {
  const end = () => file.close();
  file.open('other', [
    element('h2', {}, 'Another window has unsaved text'),
    element('p', {}, 'Lines with − are in the text below; lines with + are in the text of the other window.'),
    lines(file.text, text),
    element(
      'div',
      { class: 'tools' },
      button('Use the other text', async () => {
        end();
        const mine = [file.path, file.text, file.saved.version];
        await file.take({ text, key });
        // The time 0 marks it as older than the current text.
        keep(...mine, key, 0);
        if (version !== file.saved.version) showConflict(file, await ask('open', { path: file.path }));
      }),
      button('Discard the other text', () => {
        end();
        forget(file.path, key);
      }),
      button('Decide later', end),
    ),
  ]);
}
