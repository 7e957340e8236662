// The menu of blocks that `/` at the start of a line opens. The focus stays in the text, and typing narrows the menu.

import { element } from './page.js';
import { suggestIn } from './suggestions.js';
import { isInCode, replace } from './writing.js';

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
  const { list, show, close } = suggestIn(area, place, 'blocks', 'Blocks');
  let start = 0;
  const choose = (block) => {
    close();
    insert(area, [start, area.selectionStart], block);
    if (block.isImage) addImages();
  };
  const optionOf = (block) => ({
    id: `block-${block.name.replaceAll(' ', '-').toLowerCase()}`,
    contents: [element('span', { class: 'sample', 'aria-hidden': 'true' }, block.sample), block.name],
    act: () => choose(block),
  });
  area.addEventListener('input', (event) => {
    const at = area.selectionStart;
    const isBegun = event.data === '/' && /(^|\n)\/$/.test(area.value.slice(0, at)) && !isInCode(area.value, at);
    if (isBegun) start = at - 1;
    else if (list.hidden) return;
    const wanted = area.value.slice(start + 1, at);
    if (area.value[start] !== '/' || at <= start || wanted.includes('\n')) return close();
    show(blocks.filter(isFound(wanted.toLowerCase())).map(optionOf), start);
    list.scrollIntoView({ block: 'nearest' });
  });
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
