// Marks around words: bold, italic, code and links.

import { link, replace, selected, type } from './writing.js';

/**
 * Returns the spans of a paragraph that marks enclose, in the order in which they end. `start` and `end` include the
 * marks, and `size` is the length of each mark.
 */
function spansOf(text) {
  const spans = [];
  const open = [];
  for (const found of text.matchAll(/\\.|(`+)(?!`)[^]*?[^`]\1(?!`)|\*+|_+/g)) {
    const [[char], at] = [found[0], found.index];
    if (char === '\\') continue;
    if (char === '`') {
      spans.push({ mark: found[1], size: found[1].length, start: at, end: at + found[0].length });
      continue;
    }
    const [before, after] = [text[at - 1] ?? ' ', text[at + found[0].length] ?? ' '];
    const isInWord = (other) => char === '_' && /[\p{L}\p{N}]/u.test(other);
    let [size, place] = [found[0].length, at];
    while (size && /\S/.test(before) && !isInWord(after)) {
      const last = open.findLastIndex((other) => other.char === char);
      if (last < 0) break;
      const opening = open[last];
      const used = Math.min(2, size, opening.size);
      opening.size -= used;
      [size, place] = [size - used, place + used];
      spans.push({ mark: char.repeat(used), size: used, start: opening.place + opening.size, end: place });
      open.length = opening.size ? last + 1 : last;
    }
    if (size && /\S/.test(after) && !isInWord(before)) open.push({ char, size, place });
  }
  return spans;
}

const isSame = (mark, other) => (mark === '`' ? other.startsWith('`') : mark === other.replaceAll('_', '*'));

/** Returns the place of the paragraph around a selection. */
function paragraphOf({ value, selectionStart, selectionEnd }) {
  const start = value.slice(0, selectionStart).lastIndexOf('\n\n');
  const end = value.indexOf('\n\n', selectionEnd);
  return [start < 0 ? 0 : start + 2, end < 0 ? value.length : end];
}

/** Returns the span with a mark that the selection is in, with its place in the whole text. */
function spanAround(area, mark) {
  const [from, to] = paragraphOf(area);
  const [start, end] = [area.selectionStart - from, area.selectionEnd - from];
  const isCaret = start === end;
  const isAround = (span) => (isCaret ? span.start < start && end < span.end : span.start <= start && end <= span.end);
  const span = spansOf(area.value.slice(from, to)).find((span) => isSame(mark, span.mark) && isAround(span));
  return span && { ...span, start: span.start + from, end: span.end + from };
}

/** Returns whether the caret is between marks without words. */
function isBetween({ value, selectionStart: at, selectionEnd: end }, mark) {
  const [, before] = /([*_`]*)$/.exec(value.slice(0, at));
  const [, after] = /^([*_`]*)/.exec(value.slice(end));
  if (at !== end || !before || before !== after) return false;
  return before === mark || (before === '***' && mark !== '`');
}

export const isMarked = (area, mark) => isBetween(area, mark) || Boolean(spanAround(area, mark));

/** Adds a mark to the selection or the word at the caret, or removes it. */
export function toggleMark(area, mark) {
  const { selectionStart: at, value } = area;
  if (isBetween(area, mark)) return replace(area, [at - mark.length, at + mark.length], '', at - mark.length);
  const span = spanAround(area, mark);
  if (span) unmark(area, span);
  else if (selected(area).includes('\n')) markLines(area, mark);
  else {
    const [start, end] = wordsOf(area);
    // The words may have this mark in parts of them.
    const words = without(value.slice(start, end), mark);
    const [around, space] = mark === '`' && words.includes('`') ? ['``', ' '] : [mark, ''];
    const begin = start + around.length + space.length;
    const caret = at === area.selectionEnd && start !== end ? [begin + at - start] : [begin, begin + words.length];
    replace(area, [start, end], around + space + words + space + around, ...caret);
  }
}

function unmark(area, { start, end, size }) {
  const { selectionStart, selectionEnd, value } = area;
  // After the last word that is marked, the caret leaves the mark.
  if (selectionStart === selectionEnd && selectionEnd === end - size) return area.setSelectionRange(end, end);
  const inner = value.slice(start + size, end - size);
  const moved = (place) => Math.min(start + inner.length, Math.max(start, place - size));
  replace(area, [start, end], inner, moved(selectionStart), moved(selectionEnd));
}

function without(words, mark) {
  const spans = spansOf(words).filter((span) => isSame(mark, span.mark));
  const marks = spans.flatMap(({ start, end, size }) => [[start, size], [end - size, size]]).sort(([one], [other]) => other - one);
  return marks.reduce((rest, [at, size]) => rest.slice(0, at) + rest.slice(at + size), words);
}

/** Marks each of several lines, because a mark ends with its paragraph. */
function markLines(area, mark) {
  const start = area.selectionStart;
  const pattern = /^(\s*(?:>\s?)*(?:(?:[-*+]|\d+[.)]|#+)\s+)?)(.*\S)(\s*)$/;
  const lines = selected(area).split('\n').map((line) => line.replace(pattern, (_, begin, words, rest) => begin + mark + without(words, mark) + mark + rest));
  const text = lines.join('\n');
  replace(area, [start, area.selectionEnd], text, start, start + text.length);
}

/** Returns the place of the selected words without the space around them, or of the word at the caret. */
function wordsOf({ value, selectionStart: start, selectionEnd: end }) {
  if (start === end) {
    const [before] = /[\p{L}\p{N}\p{M}'’-]*$/u.exec(value.slice(0, start));
    const [after] = /^[\p{L}\p{N}\p{M}'’-]*/u.exec(value.slice(end));
    return before && after ? [start - before.length, end + after.length] : [start, end];
  }
  const words = value.slice(start, end);
  return words.trim() ? [start + words.search(/\S/), start + words.trimEnd().length] : [start, end];
}

const LINK = /(?<!!)\[((?:\\.|[^\\\]])*)\]\(([^()\s]*|<[^>]*>)\)/g;

function linkAround({ value, selectionStart, selectionEnd }) {
  const isAround = (found) => found.index < selectionStart && selectionEnd < found.index + found[0].length;
  return [...value.matchAll(LINK)].find(isAround);
}

export const isLinked = (area) => Boolean(linkAround(area));

/** Makes the selection or the word at the caret a link, or selects the address of the link there. */
export function toggleLink(area) {
  const found = linkAround(area);
  if (found) {
    const end = found.index + found[0].length - 1;
    return area.setSelectionRange(end - found[2].length, end);
  }
  area.setSelectionRange(...wordsOf(area));
  const words = selected(area);
  if (!/^(https?:\/\/|mailto:)\S+$/.test(words)) return link(area, '');
  const start = area.selectionStart;
  type(area, `[](${words})`);
  area.setSelectionRange(start + 1, start + 1);
}

/** Adds a footnote at the end of the selection. Its text is at the end of the whole text, where the caret moves to. */
export function addFootnote(area) {
  const { selectionEnd: at, value } = area;
  const numbers = [...value.matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number));
  const mark = `[^${Math.max(0, ...numbers) + 1}]`;
  const rest = value.slice(at).trimEnd();
  const last = (value.slice(0, at) + rest).trimEnd().split('\n').at(-1);
  replace(area, [at, value.length], `${mark}${rest}${/^\[\^[^\]]+\]:/.test(last) ? '\n' : '\n\n'}${mark}: `);
}
