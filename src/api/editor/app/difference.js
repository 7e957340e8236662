// The difference between two texts, line by line.

import { element } from './page.js';

/** Returns the lines of both texts: `[' ', line]` for an unchanged line, `-` for a removed and `+` for an added one. */
function difference(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (line) => [' ', line];
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

// Maximum number of line pairs to compare. Larger differences are shown as one change.
const MOST = 4_000_000;

function middle(old, now) {
  const gone = old.map((line) => ['-', line]);
  const come = now.map((line) => ['+', line]);
  if (old.length * now.length > MOST || !old.length || !now.length) return [...gone, ...come];
  const width = now.length + 1;
  // Length of the longest common subsequence of the rest of both texts, for each pair of lines.
  const rest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      rest[i * width + j] =
        old[i] === now[j] ? rest[(i + 1) * width + j + 1] + 1 : Math.max(rest[(i + 1) * width + j], rest[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push([' ', old[i]]);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && rest[(i + 1) * width + j] >= rest[i * width + j + 1])) {
      lines.push(gone[i]);
      i += 1;
    } else {
      lines.push(come[j]);
      j += 1;
    }
  }
  return lines;
}

/** Returns the changed lines with three lines of context, in separate parts. */
function parts(lines) {
  const near = new Set();
  lines.forEach(([kind], at) => {
    if (kind !== ' ') for (let n = at - 3; n <= at + 3; n += 1) near.add(n);
  });
  const all = [];
  lines.forEach((line, at) => {
    if (!near.has(at)) return;
    if (!all.length || !near.has(at - 1)) all.push([]);
    all.at(-1).push(line);
  });
  return all;
}

/** Returns an element that shows the difference between two texts. */
export function lines(before, after) {
  const all = parts(difference(before, after)).map((part) =>
    element(
      'pre',
      {},
      ...part.map(([kind, line]) => {
        const name = { '-': 'del', '+': 'ins', ' ': 'span' }[kind];
        return element(name, {}, `${kind === '-' ? '−' : kind} ${line}\n`);
      }),
    ),
  );
  return element('div', { class: 'difference' }, ...all);
}
