// The form that finds and replaces words in a text area.

import { button, element } from './page.js';
import { selected, type } from './writing.js';

/** Returns the form for an area. Ctrl+F in the area shows it. */
export function findIn(area) {
  const find = element('input', { type: 'search', id: 'words', autocomplete: 'off' });
  const replacement = element('input', { id: 'replacement', autocomplete: 'off' });
  const count = element('span', { role: 'status', class: 'soft' });
  const next = (event) => {
    event?.preventDefault();
    if (!find.value) return;
    const [text, wanted] = [area.value.toLowerCase(), find.value.toLowerCase()];
    let at = text.indexOf(wanted, area.selectionEnd);
    if (at < 0) at = text.indexOf(wanted);
    count.textContent = at < 0 ? 'Not found' : '';
    if (at < 0) return;
    area.focus();
    area.setSelectionRange(at, at + wanted.length);
  };
  const replace = () => {
    if (selected(area).toLowerCase() === find.value.toLowerCase() && find.value) type(area, replacement.value);
    next();
  };
  const replaceAll = () => {
    if (!find.value) return;
    const pattern = new RegExp(find.value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
    const found = area.value.match(pattern)?.length ?? 0;
    if (found) {
      const text = area.value.replace(pattern, () => replacement.value);
      area.select();
      type(area, text);
    }
    count.textContent = found === 1 ? '1 replaced' : `${found} replaced`;
  };
  const form = element(
    'form',
    { class: 'find', hidden: '' },
    element('label', { for: 'words' }, 'Find'),
    find,
    element('label', { for: 'replacement' }, 'Replace with'),
    replacement,
    element('button', { class: 'quiet' }, 'Next'),
    button('Replace', replace),
    button('Replace all', replaceAll),
    count,
  );
  form.addEventListener('submit', next);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    form.hidden = true;
    area.focus();
  });
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== 'f') return;
    event.preventDefault();
    form.hidden = false;
    find.value = selected(area) || find.value;
    find.select();
  });
  return form;
}
