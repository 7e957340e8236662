// The page to write on: the toolbar, the text, the menu of blocks and the number of words.

import { button, element } from './page.js';
import { isInCode, typeBlocks, type } from './writing.js';
import { listenToKeys } from './commands.js';
import { toolbarOf } from './toolbar.js';
import { offerBlocks } from './block_menu.js';
import { wordCount } from './word_count.js';
import { markdownFrom } from './rich_text.js';

/** Returns the page for an area of Markdown. `give` uploads images and adds them to the text. */
export function sheetOf(area, give) {
  const images = element('input', { type: 'file', accept: 'image/*', multiple: '', hidden: '', tabindex: '-1', 'aria-hidden': 'true' });
  images.addEventListener('change', () => {
    give([...images.files]);
    images.value = '';
  });
  const addImages = () => images.click();
  const paper = element('div', { class: 'paper' }, area);
  const sheet = element('div', { class: 'writing' });
  const focus = focusButton(area, sheet);
  const words = wordCount(area);
  sheet.append(toolbarOf(area, addImages, focus), images, paper, words.line);
  area.placeholder = 'Write here. Type / for headings, lists, images and more.';
  area.addEventListener('filled', words.count);
  // The menu handles keys first.
  offerBlocks(area, paper, addImages);
  listenToKeys(area, addImages);
  area.addEventListener('paste', (event) => pasteRichText(area, event));
  return sheet;
}

/** Pastes text with formatting as Markdown. Text without formatting, and text in code, is pasted as it is. */
function pasteRichText(area, event) {
  const { clipboardData: data } = event;
  if (event.defaultPrevented || !data?.getData('text/plain') || isInCode(area.value, area.selectionStart)) return;
  const html = data.getData('text/html');
  const made = html && markdownFrom(html);
  if (!made) return;
  event.preventDefault();
  if (made.isBlocks) typeBlocks(area, made.text);
  else type(area, made.text);
}

/** Returns the button that shows nothing but the text. */
function focusButton(area, sheet) {
  const toggle = (isOn) => {
    sheet.classList.toggle('is-focused', isOn);
    made.setAttribute('aria-pressed', isOn);
    made.textContent = isOn ? 'Leave focus' : 'Focus';
    // The part of the text that is in sight stays in sight.
    area.focus({ preventScroll: true });
  };
  const made = button('Focus', () => toggle(!sheet.classList.contains('is-focused')), 'focus');
  made.title = 'Show only the text (Esc shows the rest again)';
  sheet.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !sheet.classList.contains('is-focused')) return;
    event.preventDefault();
    toggle(false);
  });
  return made;
}
