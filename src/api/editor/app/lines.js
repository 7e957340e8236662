// Marks at the start of lines: headings, lists and quotes. Also blocks of code.

import { isInCode, replace, selected } from './writing.js';

const HEADING = /^ {0,3}(#{1,6}) +/;
const LIST = /^(\s*)[-*+] +(?:\[[ xX]\] +)?/;
const NUMBERS = /^(\s*)\d+[.)] +/;
const QUOTE = /^()\s*> ?/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Returns the start and the end of the lines that a selection touches. */
function linesOf({ value, selectionStart, selectionEnd }) {
  const end = value.indexOf('\n', selectionEnd);
  return [value.slice(0, selectionStart).lastIndexOf('\n') + 1, end < 0 ? value.length : end];
}

const linesIn = (area) => area.value.slice(...linesOf(area)).split('\n');

/** Returns whether all selected lines match a pattern. Empty lines between them do not count. */
function all(area, pattern) {
  const lines = linesIn(area).filter((line) => line.trim());
  return lines.length > 0 && lines.every((line) => pattern.test(line));
}

/**
 * Replaces the selected lines. An empty line separates them from other paragraphs, because Markdown would read a line
 * without a mark as part of the entry above it. `isPart` matches lines that belong to the same list or quote.
 */
function setLines(area, change, isPart = null) {
  const { value, selectionStart, selectionEnd } = area;
  const [from, to] = linesOf(area);
  const above = value.slice(0, from).split('\n').at(-2) ?? '';
  const below = value.slice(to + 1).split('\n')[0];
  const isApart = (line) => !line.trim() || isPart?.test(line);
  const before = isApart(above) ? '' : '\n';
  const after = isApart(below) ? '' : '\n';
  const text = change(value.slice(from, to).split('\n')).join('\n');
  const [start, end] = [from + before.length, from + before.length + text.length];
  const caret = Math.max(start, end - (to - selectionEnd));
  replace(area, [from, to], before + text + after, ...(selectionStart === selectionEnd ? [caret] : [start, end]));
}

const bare = (line) => line.replace(HEADING, '').replace(LIST, '$1').replace(NUMBERS, '$1');

/** Returns lines with a mark each. Empty lines have none, unless there is no other line. */
function withMarks(lines, mark) {
  let count = 0;
  return lines.map((line) => {
    if (!line.trim() && lines.length > 1) return line;
    count += 1;
    const rest = bare(line);
    const indent = /^\s*/.exec(rest)[0];
    return indent + mark(count) + rest.slice(indent.length);
  });
}

function toggle(area, pattern, change) {
  if (all(area, pattern)) setLines(area, (lines) => lines.map((line) => line.replace(pattern, '$1')));
  else setLines(area, change, pattern);
}

export const isList = (area) => all(area, LIST);
export const isNumbered = (area) => all(area, NUMBERS);
export const isQuote = (area) => all(area, QUOTE);
export const isHeading = (area) => all(area, HEADING);

export const toggleList = (area) => toggle(area, LIST, (lines) => withMarks(lines, () => '- '));
export const toggleNumbers = (area) => toggle(area, NUMBERS, (lines) => withMarks(lines, (count) => `${count}. `));
export const toggleQuote = (area) => toggle(area, QUOTE, (lines) => lines.map((line) => (line || lines.length === 1 ? `> ${line}` : '>')));

/** Turns a paragraph into a heading, a heading into a smaller one, and that into a paragraph. */
export function cycleHeading(area) {
  const level = HEADING.exec(linesIn(area)[0])?.[1].length ?? 0;
  const mark = level === 0 ? '## ' : level < 3 ? '### ' : '';
  setLines(area, (lines) => (mark ? withMarks(lines, () => mark) : lines.map((line) => line.replace(HEADING, ''))));
}

/** Returns whether a selection needs a block of code instead of code in a line. */
export const isBlockOfCode = (area) => selected(area).includes('\n') || !linesIn(area)[0].trim() || isInCode(area.value, area.selectionStart) || FENCE.test(linesIn(area)[0]);

/** Makes the selected lines a block of code, or removes the marks of the block at the caret. */
export function toggleBlockOfCode(area) {
  const block = blockAround(area);
  if (!block) return makeBlock(area);
  const { value, selectionStart, selectionEnd } = area;
  const [first, ...inner] = value.slice(...block).split('\n');
  if (FENCE.test(inner.at(-1) ?? '')) inner.pop();
  const text = inner.join('\n');
  const moved = (place) => Math.min(block[0] + text.length, Math.max(block[0], place - first.length - 1));
  replace(area, block, text, moved(selectionStart), moved(selectionEnd));
}

function makeBlock(area) {
  const isCaret = area.selectionStart === area.selectionEnd;
  setLines(area, (lines) => ['```', ...lines, '```']);
  const end = area.selectionEnd - (isCaret ? 4 : 0);
  area.setSelectionRange(isCaret ? end : area.selectionStart, end);
}

/** Returns the place of the block of code around the selection. */
function blockAround(area) {
  let at = 0;
  let open = null;
  for (const line of area.value.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const end = at + line.length;
    if (mark && !open) open = { mark, at };
    else if (mark && mark.startsWith(open.mark)) {
      if (open.at <= area.selectionStart && area.selectionEnd <= end) return [open.at, end];
      open = null;
    }
    at = end + 1;
  }
  return open && open.at <= area.selectionStart ? [open.at, area.value.length] : null;
}
