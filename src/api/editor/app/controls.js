// Controls for the values of fields. A control has its element, a function that reads its value (null for none), and one
// that shows a value.

import { clock, secondsOf } from './clock.js';
import { element } from './page.js';

/** Fills in an input unless it has the focus. */
export const fill = (input, text) => {
  if (document.activeElement !== input) input.value = text;
};

/** Returns a control for one of several values. `usual` is the value of a field that is left out. */
export function choice(choices, parse, usual) {
  const none = usual === undefined ? [element('option', { value: '' }, '—')] : [];
  const input = element('select', {}, ...none, ...choices.map(([value, name]) => element('option', { value }, name)));
  return { input, value: () => (input.value ? parse(input.value) : null), show: (held) => fill(input, held ?? usual ?? '') };
}

export function number({ minimum, maximum }, isWhole) {
  const input = element('input', { type: 'number', step: isWhole ? '1' : 'any' });
  if (minimum !== undefined) input.min = minimum;
  if (maximum !== undefined) input.max = maximum;
  return { input, value: () => (input.value === '' ? null : Number(input.value)), show: (held) => fill(input, held ?? '') };
}

/** Returns a control for a time in a recording. */
export function time() {
  const input = element('input', { autocomplete: 'off', placeholder: '0:00' });
  const value = () => {
    const seconds = secondsOf(input.value);
    if (seconds === null && input.value.trim()) throw new Error('Write a time such as 1:30 or 1:02:03.5.');
    return seconds;
  };
  return { input, value, show: (held) => fill(input, typeof held === 'number' ? clock(held) : (held ?? '')) };
}

export function text(isLong) {
  const input = element(isLong ? 'textarea' : 'input', { autocomplete: 'off', dir: 'auto' });
  if (isLong) input.rows = 3;
  return { input, value: () => input.value || null, show: (held) => fill(input, held ?? '') };
}

/** Returns a control for a list of texts, separated by commas. */
export function texts() {
  const input = element('input', { autocomplete: 'off', dir: 'auto', placeholder: 'one, another' });
  const value = () => {
    const all = input.value.split(',').map((one) => one.trim()).filter(Boolean);
    return all.length ? all : null;
  };
  return { input, value, show: (held) => fill(input, [held ?? []].flat().join(', ')) };
}

/** Returns a control for other values, written as JSON. */
export function json() {
  const input = element('textarea', { rows: '2', class: 'code', spellcheck: 'false' });
  const value = () => {
    if (!input.value.trim()) return null;
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error('Invalid JSON: write a list such as [{"name": "Ada"}].');
    }
  };
  return { input, value, show: (held) => fill(input, held === undefined ? '' : JSON.stringify(held, null, 1)) };
}
