// People of earlier episodes, to add with one press.

import { button, element } from './page.js';
import { listed } from './navigation.js';

// Maximum number of people to suggest.
const MOST = 8;

/**
 * Returns the suggestions for a list of people, and a function that shows them for the people in the list. `add` is called
 * with the chosen people.
 */
export function suggestionsOf({ choices, media }, add) {
  const view = element('div', { class: 'chips', role: 'group', 'aria-label': 'Add people of earlier episodes' });
  const entryOf = (person) => Object.fromEntries(Object.entries(person).filter(([, held]) => held));
  const show = (held) => {
    const has = held.map((one) => one?.name ?? one);
    const others = choices.people.filter(({ name }) => !has.includes(name));
    const last = others.filter(({ name }) => choices.last_people.includes(name));
    const names = last.map(({ name }) => name);
    const all = last.length > 1 ? [button(`Add ${listed(names)}, as in the last episode`, () => add(last.map(entryOf)), 'quiet all')] : [];
    view.replaceChildren(...all, ...others.slice(0, MOST).map((person) => chip(person, media, () => add([entryOf(person)]))));
    view.hidden = !others.length;
  };
  return { view, show };
}

function chip({ name, role, img }, media, action) {
  const made = button('', action, 'quiet chip');
  const source = media.addressOf(img);
  const initial = element('span', { class: 'face', 'aria-hidden': 'true' }, [...name][0] ?? '');
  const face = source ? element('img', { class: 'face', src: source, alt: '', loading: 'lazy' }) : initial;
  if (source) face.addEventListener('error', () => face.replaceWith(initial));
  made.append(face, element('span', { dir: 'auto' }, name), ' ', element('span', { class: 'soft' }, role ?? 'host'));
  return made;
}
