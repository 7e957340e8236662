// The menu of blocks that `/` at the start of a line opens. The focus stays in the text, and typing narrows the menu.

import { element } from './page.js';
import { isComposing, isInCode, replace } from './writing.js';

// The place of the caret in the text of a block.
const CARET = '‸';

/** The blocks. `words` are other names that find them, and `text` is what they add. */
const blocks = [
  { name: 'Heading', sample: '##', words: 'title section', text: '## ' },
  { name: 'Smaller heading', sample: '###', words: 'subheading section', text: '### ' },
  { name: 'List', sample: '-', words: 'bullets', text: '- ' },
  { name: 'Numbered list', sample: '1.', words: 'ordered steps', text: '1. ' },
  { name: 'Checklist', sample: '[ ]', words: 'tasks todo', text: '- [ ] ' },
  { name: 'Quote', sample: '>', words: 'blockquote', text: '> ' },
  { name: 'Image', sample: '![]', words: 'photo picture', isImage: true, text: '' },
  { name: 'Table', sample: '|', words: 'columns rows', text: `| ${CARET} | |\n| --- | --- |\n| | |` },
  { name: 'Code', sample: '```', words: 'block', text: `\`\`\`\n${CARET}\n\`\`\`` },
  { name: 'Divider', sample: '---', words: 'line rule separator', text: `---\n\n${CARET}` },
];

const isFound = (wanted) => ({ name, words }) => `${name} ${words}`.toLowerCase().split(' ').some((word, at, all) => all.slice(at).join(' ').startsWith(wanted));

/** Adds the menu to an area in a `place`. */
export function offerBlocks(area, place, addImages) {
  const list = element('ul', { id: 'blocks', role: 'listbox', class: 'blocks', 'aria-label': 'Blocks', hidden: '' });
  place.append(list);
  area.setAttribute('aria-haspopup', 'listbox');
  let start = -1;
  const close = () => {
    list.hidden = true;
    start = -1;
    for (const name of ['aria-controls', 'aria-activedescendant']) area.removeAttribute(name);
  };
  const mark = (at) => {
    [...list.children].forEach((option, index) => option.setAttribute('aria-selected', index === at));
    area.setAttribute('aria-activedescendant', list.children[at].id);
    list.children[at].scrollIntoView({ block: 'nearest' });
  };
  const choose = (block) => {
    insert(area, [start, area.selectionStart], block);
    close();
    if (block.isImage) addImages();
  };
  const open = () => {
    const wanted = area.value.slice(start + 1, area.selectionStart);
    const found = blocks.filter(isFound(wanted.toLowerCase()));
    if (!found.length || area.value[start] !== '/' || wanted.includes('\n')) return close();
    list.replaceChildren(...found.map((block) => optionOf(block, () => choose(block))));
    list.hidden = false;
    area.setAttribute('aria-controls', list.id);
    put(list, area, place, start);
    mark(0);
    list.scrollIntoView({ block: 'nearest' });
  };
  area.addEventListener('input', (event) => {
    const at = area.selectionStart;
    const isBegun = event.data === '/' && /(^|\n)\/$/.test(area.value.slice(0, at)) && !isInCode(area.value, at);
    if (isBegun) start = at - 1;
    if (start >= 0) open();
  });
  area.addEventListener('keydown', (event) => {
    if (list.hidden || isComposing(event)) return;
    const all = [...list.children];
    const at = all.findIndex((option) => option.ariaSelected === 'true');
    const acts = {
      ArrowDown: () => mark((at + 1) % all.length),
      ArrowUp: () => mark((at + all.length - 1) % all.length),
      Enter: () => all[at].click(),
      Tab: () => all[at].click(),
      Escape: close,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !acts[event.key]) return;
    event.preventDefault();
    // No other handler of these keys runs.
    event.stopImmediatePropagation();
    acts[event.key]();
  });
  area.addEventListener('blur', close);
  area.addEventListener('click', close);
  area.addEventListener('keyup', () => (list.hidden || (area.selectionStart > start ? 0 : close())));
}

function optionOf({ name, sample }, act) {
  const option = element(
    'li',
    { role: 'option', id: `block-${name.replaceAll(' ', '-').toLowerCase()}`, 'aria-selected': 'false' },
    element('span', { class: 'sample', 'aria-hidden': 'true' }, sample),
    name,
  );
  // The focus stays in the text.
  option.addEventListener('mousedown', (event) => event.preventDefault());
  option.addEventListener('click', act);
  return option;
}

/** Replaces what was typed after `/` with a block. An empty line separates it from the text before and after it. */
function insert(area, [start, end], { text }) {
  const { value } = area;
  const above = value.slice(0, start).split('\n').at(-2) ?? '';
  const mark = /^([-*+>]|\d+\.)/.exec(text)?.[0];
  const isSame = mark && above.trimStart().startsWith(mark);
  const before = above.trim() && text && !isSame ? '\n' : '';
  // A block that positions the caret contains nothing of the line that follows.
  const isWhole = text.includes(CARET);
  const rest = isWhole ? /^\n*/.exec(value.slice(end))[0] : '';
  const after = isWhole && value.slice(end).trim() ? '\n'.repeat(Math.max(0, 2 - rest.length)) : '';
  const caret = start + before.length + (isWhole ? text.indexOf(CARET) : text.length);
  replace(area, [start, end], before + text.replace(CARET, '') + after, caret);
}

/** Puts the list below the line of the menu, or above it if there is more space. */
function put(list, area, place, at) {
  const mirror = element('div', { class: 'mirror', 'aria-hidden': 'true' }, `${area.value.slice(0, at)}/`);
  place.append(mirror);
  mirror.style.inlineSize = `${area.clientWidth}px`;
  const bottom = mirror.offsetHeight - area.scrollTop;
  const line = Number.parseFloat(getComputedStyle(mirror).lineHeight);
  mirror.remove();
  const { top } = place.getBoundingClientRect();
  const space = (visualViewport?.height ?? innerHeight) - top - bottom;
  const isAbove = space < list.offsetHeight + 8 && top + bottom - line > space;
  list.style.insetBlockStart = `${isAbove ? bottom - line - list.offsetHeight - 4 : bottom + 4}px`;
}
