// A list of suggestions below the line that is being typed. The focus stays in the text.

import { element } from './page.js';
import { isComposing } from './writing.js';

const CLOSING = ['Escape', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

/**
 * Adds a list to an area in a `place`. `show(options, start)` shows options below the line of the character at `start`.
 * Each option has an id, the contents of its line, and an action.
 */
export function suggestIn(area, place, id, name) {
  const list = element('ul', { id, role: 'listbox', class: `suggestions ${id}`, 'aria-label': name, hidden: '' });
  place.append(list);
  area.setAttribute('aria-haspopup', 'listbox');
  let from = 0;
  const close = () => {
    list.hidden = true;
    for (const attribute of ['aria-controls', 'aria-activedescendant']) area.removeAttribute(attribute);
  };
  const mark = (at) => {
    const chosen = list.children[(at + list.children.length) % list.children.length];
    for (const option of list.children) option.setAttribute('aria-selected', option === chosen);
    area.setAttribute('aria-activedescendant', chosen.id);
    chosen.scrollIntoView({ block: 'nearest' });
  };
  const put = () => list.hidden || putBelow(list, area, place, from);
  const show = (options, start) => {
    if (!options.length) return close();
    from = start;
    list.replaceChildren(...options.map(optionOf));
    list.hidden = false;
    area.setAttribute('aria-controls', id);
    put();
    mark(0);
  };
  area.addEventListener('keydown', (event) => {
    if (list.hidden || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = [...list.children].findIndex((option) => option.ariaSelected === 'true');
    const act = { ArrowDown: () => mark(at + 1), ArrowUp: () => mark(at - 1), Enter: () => list.children[at].click(), Tab: () => list.children[at].click() }[event.key];
    if (CLOSING.includes(event.key)) close();
    if (!act && event.key !== 'Escape') return;
    event.preventDefault();
    // No other handler of these keys runs.
    event.stopImmediatePropagation();
    act?.();
  });
  for (const event of ['blur', 'click']) area.addEventListener(event, close);
  area.addEventListener('scroll', put);
  new ResizeObserver(put).observe(area);
  return { list, show, close };
}

function optionOf({ id, contents, act }) {
  const option = element('li', { role: 'option', id, 'aria-selected': 'false' }, ...contents);
  // The focus stays in the text.
  option.addEventListener('mousedown', (event) => event.preventDefault());
  option.addEventListener('click', act);
  return option;
}

/** Puts a list below the line of a character, or above it if there is more space. The list starts where the line starts. */
function putBelow(list, area, place, at) {
  const copy = element('div', { class: 'copy', 'aria-hidden': 'true' }, `${area.value.slice(0, at)}.`);
  place.append(copy);
  copy.style.inlineSize = `${area.clientWidth}px`;
  const bottom = copy.offsetHeight - area.scrollTop;
  const line = Number.parseFloat(getComputedStyle(copy).lineHeight);
  copy.remove();
  const { top } = place.getBoundingClientRect();
  const space = (visualViewport?.height ?? innerHeight) - top - bottom;
  const isAbove = space < list.offsetHeight + 8 && top + bottom - line > space;
  list.style.insetBlockStart = `${isAbove ? bottom - line - list.offsetHeight - 4 : bottom + 4}px`;
  list.classList.toggle('is-at-end', getComputedStyle(area).direction !== getComputedStyle(place).direction);
}
