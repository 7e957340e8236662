// Completion of the keys of front matter: a list below the line, while the focus stays in the text.

import { element } from './page.js';
import { helpOf } from './labels.js';
import { isTable, properties, resolved } from './schema.js';
import { suggestIn } from './suggestions.js';
import { type } from './writing.js';

const MAX = 12;

/** Returns the fence of the front matter and the lines between the fences, or null if the caret is outside of it. */
function frontAt(lines, row) {
  const fence = lines[0].trim();
  if (!['+++', '---'].includes(fence) || row < 1) return null;
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === fence);
  return end >= 0 && row >= end ? null : { isToml: fence === '+++', end: end < 0 ? lines.length : end };
}

const headerIn = (line) => /^\s*\[+\s*([\w.-]+)\s*\]+/.exec(line)?.[1];

/** Returns the table of a TOML line, and the keys that the table already has. */
function tomlTable(lines, row, end) {
  const start = lines.findLastIndex((line, at) => at < row && at > 0 && headerIn(line));
  const after = lines.findIndex((line, at) => at > row && at < end && headerIn(line));
  const own = lines.slice(Math.max(start, 0) + 1, after < 0 ? end : after);
  const used = own.flatMap((line) => /^\s*([\w.-]+)\s*=/.exec(line)?.[1] ?? []);
  const headers = lines.slice(1, end).flatMap((line) => headerIn(line) ?? []);
  return { table: start > 0 ? headerIn(lines[start]).split('.') : [], used, headers };
}

/** Returns the table of a YAML line, and the keys that the table already has. */
function yamlTable(lines, row, end) {
  const indentOf = (line) => line.length - line.trimStart().length;
  const indent = indentOf(lines[row]);
  const table = [];
  for (let at = row - 1, least = indent; at > 0 && least > 0; at -= 1) {
    const key = /^\s*([\w-]+):\s*$/.exec(lines[at])?.[1];
    if (!lines[at].trim() || indentOf(lines[at]) >= least || !key) continue;
    table.unshift(key);
    least = indentOf(lines[at]);
  }
  const inner = (line) => !line.trim() || indentOf(line) >= indent;
  let [first, last] = [row, row];
  while (first > 1 && inner(lines[first - 1])) first -= 1;
  while (last < end - 1 && inner(lines[last + 1])) last += 1;
  const own = lines.slice(first, last + 1).filter((line, at) => first + at !== row && indentOf(line) === indent);
  return { table, used: own.flatMap((line) => /^\s*([\w-]+):/.exec(line)?.[1] ?? []), headers: [], indent };
}

/** Returns the part of a schema for a table. */
function tableOf(schema, keys) {
  return keys.reduce((part, key) => {
    const inner = part && part.properties?.[key] && resolved(schema, part.properties[key]);
    return inner?.items && !inner.properties ? resolved(schema, inner.items) : inner;
  }, schema);
}

/**
 * Returns the start of the typed key and the keys that complete it. An option has the text to insert and its help.
 * Returns null outside of front matter and after other text.
 */
function completionsAt(schema, form, text, caret) {
  const before = text.slice(0, caret).split('\n');
  const lines = text.split('\n');
  const row = before.length - 1;
  const front = frontAt(lines, row);
  const typed = front && (front.isToml ? /^(\s*)(\[?[\w.-]*)$/ : /^(\s*)([\w-]*)$/).exec(before[row]);
  if (!typed?.[2] || lines[row].slice(before[row].length).trim()) return null;
  const { table, used, headers, indent } = (front.isToml ? tomlTable : yamlTable)(lines, row, front.end);
  const isHeader = typed[2].startsWith('[');
  const [word, ...outer] = typed[2].replace('[', '').split('.').toReversed();
  const keys = [...(isHeader ? [] : table), ...outer.toReversed()];
  const inner = [...outer.toReversed(), ''].join('.');
  const found = properties(tableOf(schema, keys) ?? {}).filter(([key, part]) => {
    const isUsed = used.includes(`${inner}${key}`) || headers.includes([...keys, key].join('.'));
    return key.startsWith(word) && !isUsed && (!isHeader || isTable(resolved(schema, part)));
  });
  const options = found.map(([key, part]) => {
    const deep = isTable(resolved(schema, part));
    const insert = isHeader ? `[${inner}${key}]\n` : front.isToml ? `${inner}${key}${deep ? '.' : ' = '}` : `${key}:${deep ? `\n${' '.repeat(indent + 2)}` : ' '}`;
    return { key, insert, help: helpOf(form, [...keys, key], part) };
  });
  return { start: caret - typed[2].length, options };
}

/** Offers the keys of the front matter while they are typed in an area in a `place`. */
export function offerKeys(area, place, schema, form) {
  const { show, close } = suggestIn(area, place, 'keys', 'Fields');
  area.addEventListener('input', () => {
    const made = completionsAt(schema, form, area.value, area.selectionStart);
    if (!made || area.selectionStart !== area.selectionEnd) return close();
    const options = made.options.slice(0, MAX).map(({ key, insert, help }) => ({
      id: `key-${key}`,
      contents: [element('code', {}, key), element('span', {}, help)],
      act: () => {
        area.setSelectionRange(made.start, area.selectionStart);
        type(area, insert);
      },
    }));
    show(options, made.start);
  });
}
