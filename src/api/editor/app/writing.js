// Markdown support for a text area: inserts text, continues lists and quotes, and turns pasted addresses into links.
// All edits use the browser's editing commands, so that the browser can undo them.

/** Adds the Markdown support to a text area. */
export function writeIn(area) {
  area.addEventListener('keydown', (event) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === 'Enter' && isPlain && !event.defaultPrevented && !isComposing(event)) goOn(area, event);
  });
  area.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain').trim() ?? '';
    if (!selected(area).trim() || !/^(https?:\/\/|mailto:)\S+$/.test(text)) return;
    event.preventDefault();
    link(area, text);
  });
}

/** Returns whether an input method handles a key. Safari ends the composition before the event of its last key. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** Replaces the selection with a text, as if it were typed. */
export function type(area, text) {
  area.focus();
  if (!text && area.selectionStart === area.selectionEnd) return;
  // Only these commands keep the browser's undo history. Chromium moves the caret to the line above if an empty text
  // replaces the last line.
  const isDone = text ? document.execCommand('insertText', false, text) : document.execCommand('delete');
  if (isDone) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Replaces a part of the text, as if it were typed, and selects from `start` to `end`. */
export function replace(area, [from, to], text, start = from + text.length, end = start) {
  area.setSelectionRange(from, to);
  type(area, text);
  area.setSelectionRange(start, end);
}

/** Types blocks, such as paragraphs, tables and lists, with an empty line before and after them. */
export function typeBlocks(area, text) {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const missing = (found) => '\n'.repeat(Math.max(0, 2 - found.length));
  const before = value.slice(0, start).trim() ? missing(/\n*$/.exec(value.slice(0, start))[0]) : '';
  const after = value.slice(end).trim() ? missing(/^\n*/.exec(value.slice(end))[0]) : '';
  replace(area, [start, end], before + text + after, start + before.length + text.length);
}

export function selected(area) {
  return area.value.slice(area.selectionStart, area.selectionEnd);
}

/** Returns whether a place in a text is in a block of code. */
export function isInCode(text, at) {
  let fence = null;
  for (const [, mark] of text.slice(0, at).matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (!fence) fence = mark;
    else if (mark.startsWith(fence)) fence = null;
  }
  return fence !== null;
}

/** Makes the selection a link. The caret moves to the address if it is missing, otherwise after the link. */
export function link(area, url) {
  const start = area.selectionStart;
  const text = selected(area).replace(/\s+$/, '');
  const made = `[${text}](${/[()<>]/.test(url) ? `<${url.replace(/[<>]/g, encodeURIComponent)}>` : url})`;
  replace(area, [start, start + text.length], made, start + made.length - (url ? 0 : 1));
}

/**
 * Continues a list or a quote in the next line, and increments the number of a numbered list. Enter in an empty entry
 * ends the list. An empty line replaces the entry, because Markdown would read text in the next line as part of the
 * previous entry.
 */
function goOn(area, event) {
  const { selectionStart: at, selectionEnd: end, value } = area;
  if (at !== end || isInCode(value, at)) return;
  const start = value.lastIndexOf('\n', at - 1) + 1;
  const line = value.slice(start, at);
  const [quote] = /^(?:\s*>[ \t]?)*/.exec(line);
  const entry = /^(\s*)(?:([-*+])|(\d+)([.)]))(\s+)(\[[ xX]\]\s+)?/.exec(line.slice(quote.length));
  if (!quote && !entry) return;
  event.preventDefault();
  const mark = quote + (entry?.[0] ?? '');
  if (line === mark) {
    // A list in a quote ends first.
    const inner = quote && entry ? quote : '';
    const above = value.slice(0, start).split('\n').at(-2) ?? '';
    const isSeparate = !above.slice(inner.length).trim();
    replace(area, [start, at], isSeparate ? inner : `${inner.trimEnd()}\n${inner}`);
    return;
  }
  if (!entry) return type(area, `\n${/\s$/.test(quote) ? quote : `${quote} `}`);
  const [, indent, bullet, number, point, space, task] = entry;
  type(area, `\n${quote}${indent}${bullet ?? `${Number(number) + 1}${point}`}${space}${task ? '[ ] ' : ''}`);
}
