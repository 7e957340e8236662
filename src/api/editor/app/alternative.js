// The question for the alternative text of an image.

import { button, element } from './page.js';

/**
 * Asks what an image shows, while it is uploaded to be added to the text in `area`. Returns the text, which is empty if the person skips the question,
 * and a function that ends the question.
 */
export function askAlternative(area, image) {
  const { selectionStart, selectionEnd } = area;
  const address = URL.createObjectURL(image);
  const input = element('input', { id: 'alternative', name: 'alternative', autocomplete: 'off', 'aria-describedby': 'alternative-help', dir: 'auto', spellcheck: 'true' });
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', { id: 'alternative-name' }, 'Describe the image'),
    element('img', { src: address, alt: '' }),
    element('label', { for: 'alternative' }, 'What does it show?'),
    input,
    element('p', { class: 'help', id: 'alternative-help' }, 'For people who cannot see it, and for search engines. Skip it if the image is only decoration.'),
    element('div', { class: 'tools' }, element('button', {}, 'Add image'), button('Skip', () => dialog.close('skip'))),
  );
  const dialog = element('dialog', { class: 'described', 'aria-labelledby': 'alternative-name' }, form);
  dialog.addEventListener('cancel', () => (dialog.returnValue = 'skip'));
  const answer = new Promise((done) => {
    dialog.addEventListener('close', () => {
      URL.revokeObjectURL(address);
      dialog.remove();
      // Chromium gives the focus back without the place of the caret.
      area.setSelectionRange(selectionStart, selectionEnd);
      done(dialog.returnValue === 'skip' ? '' : input.value.replace(/\s+/g, ' ').trim());
    });
  });
  area.closest('.write').append(dialog);
  dialog.showModal();
  input.focus();
  return { answer, end: () => dialog.close('skip') };
}

/** Writes an alternative text into the Markdown of an image. */
export const described = (markdown, text) => markdown.replace('![]', () => `![${text.replace(/[[\]\\]/g, '\\$&')}]`);
