// The toolbar above a text.

import { element } from './page.js';
import { commands, keysOf, shortcutOf } from './commands.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Returns an icon of lines. */
function icon(path) {
  const made = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' })) made.setAttribute(name, value);
  const lines = document.createElementNS(SVG, 'path');
  lines.setAttribute('d', path);
  made.append(lines);
  return made;
}

/** Returns the toolbar of an area. `more` are buttons at its end. */
export function toolbarOf(area, addImages, ...more) {
  const buttons = new Map();
  const groups = commands.map((group) => {
    const made = element('div', { class: 'group' });
    for (const command of group) {
      const button = buttonOf(command);
      button.addEventListener('click', () => command.act(area, addImages));
      buttons.set(button, command);
      made.append(button);
    }
    return made;
  });
  const bar = element('div', { role: 'toolbar', class: 'toolbar', 'aria-label': 'Formatting', 'aria-controls': area.id }, ...groups, ...more);
  moveByArrows(bar, [...buttons.keys(), ...more]);
  // A click leaves the focus and the selection in the text.
  bar.addEventListener('mousedown', (event) => event.preventDefault());
  const show = () => {
    if (document.activeElement !== area) return;
    for (const [button, { isOn }] of buttons) if (isOn) button.setAttribute('aria-pressed', isOn(area));
  };
  for (const name of ['input', 'selectionchange', 'keyup', 'focus', 'click']) area.addEventListener(name, show);
  return bar;
}

function buttonOf(command) {
  const { name, isOn } = command;
  const button = element(
    'button',
    { type: 'button', class: command.class ?? '', 'aria-label': name, title: `${name} (${keysOf(command)})`, 'aria-keyshortcuts': shortcutOf(command) },
    icon(command.icon),
  );
  if (isOn) button.setAttribute('aria-pressed', 'false');
  return button;
}

/** The arrow keys move between the buttons, of which one is reached by Tab. */
function moveByArrows(bar, buttons) {
  const choose = (chosen) => buttons.forEach((button) => (button.tabIndex = button === chosen ? 0 : -1));
  choose(buttons[0]);
  bar.addEventListener('focusin', ({ target }) => choose(target));
  bar.addEventListener('keydown', (event) => {
    const isReversed = getComputedStyle(bar).direction === 'rtl';
    const steps = { ArrowRight: isReversed ? -1 : 1, ArrowLeft: isReversed ? 1 : -1 };
    const at = buttons.indexOf(document.activeElement);
    const next = { Home: 0, End: buttons.length - 1 }[event.key] ?? (steps[event.key] && at + steps[event.key]);
    if (next === undefined) return;
    event.preventDefault();
    buttons.at(next % buttons.length).focus();
  });
}
