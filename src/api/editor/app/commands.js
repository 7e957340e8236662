// The commands of the toolbar and of keyboard shortcuts, each with a name, a key and an icon.

import { addFootnote, isLinked, isMarked, toggleLink, toggleMark } from './marks.js';
import { cycleHeading, isBlockOfCode, isHeading, isList, isNumbered, isQuote, toggleBlockOfCode, toggleList, toggleNumbers, toggleQuote } from './lines.js';
import { isComposing, isInCode } from './writing.js';

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/**
 * The commands in groups, in the order of the toolbar. A key is a letter with Ctrl, or a digit with Ctrl and Shift (⌘
 * on Apple's devices). `isOn` tells whether the command would remove what it adds. An icon is the path of lines in a
 * square of 24.
 */
export const commands = [
  [
    { name: 'Bold', key: 'B', icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zm0 7h7a3.5 3.5 0 0 1 0 7H7z', act: (area) => toggleMark(area, '**'), isOn: (area) => isMarked(area, '**'), class: 'strong' },
    { name: 'Italic', key: 'I', icon: 'M10 5h8M6 19h8M14.5 5l-5 14', act: (area) => toggleMark(area, '*'), isOn: (area) => isMarked(area, '*') },
    { name: 'Link', key: 'K', icon: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17', act: toggleLink, isOn: isLinked },
  ],
  [
    { name: 'Heading', key: '2', icon: 'M6 5v14M18 5v14M6 12h12', act: cycleHeading, isOn: isHeading },
    { name: 'List', key: '8', icon: 'M10 6h10M10 12h10M10 18h10M4.5 6h1M4.5 12h1M4.5 18h1', act: toggleList, isOn: isList },
    { name: 'Numbered list', key: '7', icon: 'M11 6h9M11 12h9M11 18h9M4 5l1.5-1v5M4 15.3c.4-1.7 3-1.5 2.7.2L4 19.5h2.9', act: toggleNumbers, isOn: isNumbered },
    { name: 'Quote', key: '9', icon: 'M10 8c-3 0-5 2-5 5v4h5v-4.5H6.5M20 8c-3 0-5 2-5 5v4h5v-4.5h-3.5', act: toggleQuote, isOn: isQuote },
    { name: 'Code', key: 'E', icon: 'M8.5 7L4 12l4.5 5M15.5 7L20 12l-4.5 5', act: toggleCode, isOn: isCode },
  ],
  [
    { name: 'Image', key: '6', icon: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.5', act: (area, addImages) => addImages() },
    { name: 'Footnote', key: '1', icon: 'M4 19L8.5 8 13 19M5.5 15.5h6M17 6l2-1.5V12', act: addFootnote },
  ],
];

function toggleCode(area) {
  if (isBlockOfCode(area)) toggleBlockOfCode(area);
  else toggleMark(area, '`');
}

function isCode(area) {
  return isInCode(area.value, area.selectionStart) || isMarked(area, '`');
}

const needsShift = ({ key }) => /\d/.test(key);

/** Returns the keys of a command as people read them, such as Ctrl+B. */
export const keysOf = (command) => `${isMac ? `${needsShift(command) ? '⇧' : ''}⌘` : `Ctrl+${needsShift(command) ? 'Shift+' : ''}`}${command.key}`;

/** Returns the keys of a command for `aria-keyshortcuts`. */
export const shortcutOf = (command) => `${isMac ? 'Meta' : 'Control'}+${needsShift(command) ? 'Shift+' : ''}${command.key}`;

/** Runs commands by their keys. A digit is the key at its place, because with Shift it has another letter. */
export function listenToKeys(area, addImages) {
  area.addEventListener('keydown', (event) => {
    const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!isCommand || event.altKey || isComposing(event)) return;
    const key = event.shiftKey ? /^Digit(\d)$/.exec(event.code)?.[1] : event.key.toUpperCase();
    const command = commands.flat().find((own) => own.key === key && needsShift(own) === event.shiftKey);
    if (!command) return;
    event.preventDefault();
    command.act(area, addImages);
  });
}
