// The list of problems above a text.

import { element, unfold } from './page.js';
import { reviewOf } from './review.js';

/** Returns a problem with a button that shows its position. */
export function told(file, fault) {
  const { severity, message, line, help } = fault;
  const go = placeOf(file, fault);
  const button = element('button', { type: 'button', class: 'quiet small', 'aria-label': `Show ${message}` }, 'Show');
  if (go) button.addEventListener('click', go);
  return element(
    'li',
    { class: severity },
    element('strong', {}, severity === 'error' ? 'Error: ' : 'Warning: '),
    message,
    line ? ` (line ${line}) ` : ' ',
    go ? button : '',
    reviewOf(file, fault),
    help ? element('p', { class: 'soft' }, help) : '',
  );
}

/** Returns a function that goes to the field or line of a problem, or null if it has no position. */
function placeOf(file, { keys, line, help }) {
  const id = (depth) => `field-${keys.slice(0, depth).join('-')}`;
  const depth = keys?.map((_, at) => at + 1).findLast((depth) => document.getElementById(id(depth)));
  if (depth) {
    return () => {
      const field = document.getElementById(id(depth));
      unfold(field);
      (field.matches('fieldset') ? field.querySelector('input, select') : field).focus();
    };
  }
  const own = line - file.head.split('\n').length;
  const lines = file.area.value.split('\n');
  // If a template renders to invalid output, the line is a line of the output, not of the template.
  if (!(own in lines) || /renders to/.test(help)) return null;
  const start = lines.slice(0, own).join('\n').length + (own && 1);
  return () => {
    unfold(file.area);
    file.area.focus();
    file.area.setSelectionRange(start, start + lines[own].length);
  };
}
