// Formatted text from the clipboard as Markdown. Keeps headings, emphasis, links, lists, quotes, code, images and
// tables, and drops everything else, such as styles and scripts.

const DROPPED = 'script, style, meta, link, title, template, noscript, iframe, object, svg, button, select, textarea, [hidden], [aria-hidden=true]';
const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, table, hr, figure, figcaption, section, article, header, footer, main, aside, nav, dl, dt, dd, details, summary, address, center';
const FORMATTED = 'h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, code, table, hr, img, a[href], b, strong, em, i, del, s, .MsoListParagraph, [style*="font-weight"], [style*="font-style"]';
// Marks of words, from the outermost to the innermost.
const MARKS = [
  ['href', (words, href) => (words === href || `mailto:${words}` === href ? `<${words}>` : `[${words}](${href})`)],
  ['isStrong', (words) => `**${words}**`],
  ['isEmphasized', (words) => `*${words}*`],
  ['isDeleted', (words) => `~~${words}~~`],
];

/**
 * Returns the Markdown of an HTML text, and whether it is blocks instead of words in a line. Returns null if the text
 * has no formatting.
 */
export function markdownFrom(html) {
  // Styles say what is bold in some programs. The editor's policy forbids the browser to apply them or to run handlers.
  const inert = html.replace(/<style\b[^]*?(<\/style\s*>|$)/gi, '').replace(/<[^<>]*>/g, (tag) => tag.replace(/\s(style|on\w+)=/gi, ' data-$1='));
  const page = new DOMParser().parseFromString(inert, 'text/html');
  page.querySelectorAll(DROPPED).forEach((dropped) => dropped.remove());
  const { body } = page;
  if (!body.querySelector(FORMATTED.replaceAll('[style', '[data-style'))) return null;
  const shift = body.querySelector('h1') ? 1 : 0;
  const blocks = blocksOf(body, { shift });
  const text = blocks.join('\n\n');
  if (!text || text === body.textContent.trim()) return null;
  return { text, isBlocks: blocks.length > 1 || Boolean(body.querySelector('h1, h2, h3, h4, h5, h6, li, blockquote, pre, table, hr')) };
}

const isBlock = (node) => node.nodeType === Node.ELEMENT_NODE && (node.matches(BLOCKS) || (!node.matches('a') && node.querySelector(BLOCKS) !== null));

/** Returns the blocks in an element. Words between blocks are paragraphs. */
function blocksOf(parent, context) {
  const blocks = [];
  let words = [];
  const end = () => {
    blocks.push(...paragraphs(words));
    words = [];
  };
  for (const node of parent.childNodes) {
    if (!isBlock(node)) {
      words.push(...partsOf(node, {}));
      continue;
    }
    end();
    const made = blockOf(node, context).filter((block) => block.trim());
    const follows = blocks.length && isWordEntry(node) && isWordEntry(node.previousElementSibling);
    if (follows && made.length) blocks.push(`${blocks.pop()}\n${made.join('\n')}`);
    else blocks.push(...made);
  }
  end();
  return blocks;
}

function blockOf(node, context) {
  const name = node.localName;
  if (/^h[1-6]$/.test(name)) {
    const text = lineOf(node);
    return text ? [`${'#'.repeat(Math.min(6, Number(name[1]) + context.shift))} ${text}`] : [];
  }
  if (name === 'ul' || name === 'ol') return [list(node, context)];
  if (name === 'blockquote') return [blocksOf(node, context).join('\n\n').replaceAll(/^(.*)$/gm, (line) => `> ${line}`.trimEnd())];
  if (name === 'pre') return [code(node)];
  if (name === 'hr') return ['---'];
  if (name === 'table' && isOfData(node)) return [table(node)];
  if (isWordEntry(node)) return [wordEntry(node)];
  return blocksOf(node, context);
}

/** Returns the paragraphs that words make. Two line breaks separate paragraphs. */
function paragraphs(parts) {
  const text = written(parts).split(/(?:[ \t]*\n){2,}/).map((one) => one.trim());
  return text.filter(Boolean).map((one) => one.replaceAll(/[ \t]*\n[ \t]*/g, '\\\n').replaceAll(/^(?:#{1,6}(?= |$)|[-+>](?= |$)|={3,}$|-{3,}$)/gm, '\\$&').replaceAll(/^(\d+)([.)] )/gm, '$1\\$2'));
}

/** Returns the words of an element in one line. */
const lineOf = (node) => written([...node.childNodes].flatMap((child) => partsOf(child, {}))).replaceAll(/\s+/g, ' ').trim();

/** Returns the words in a node, each with its marks. */
function partsOf(node, marks) {
  if (node.nodeType === Node.TEXT_NODE) return [{ ...marks, text: escape(node.data.replaceAll(/\s*[ \t\n\r\f]\s*/g, ' ')) }];
  if (node.nodeType !== Node.ELEMENT_NODE) return [];
  const name = node.localName;
  if (name === 'br') return [{ text: '\n' }];
  if (name === 'img') return image(node, marks);
  if (/^(code|kbd|samp|tt)$/.test(name)) return node.textContent.trim() ? [{ ...marks, text: inCode(node.textContent) }] : [];
  const inner = { ...marks, ...marksOf(node) };
  const parts = [...node.childNodes].flatMap((child) => partsOf(child, inner));
  return isBlock(node) ? [{ text: ' ' }, ...parts] : parts;
}

function marksOf(node) {
  const name = node.localName;
  const style = node.dataset.style ?? '';
  const weight = /font-weight:\s*(\w+)/.exec(style)?.[1];
  const marks = {};
  if (/^(b|strong)$/.test(name)) marks.isStrong = true;
  if (weight) marks.isStrong = weight === 'bold' || Number(weight) >= 600;
  if (/^(i|em|cite)$/.test(name) || /font-style:\s*italic/.test(style)) marks.isEmphasized = true;
  if (/font-style:\s*normal/.test(style)) marks.isEmphasized = false;
  if (/^(del|s|strike)$/.test(name) || /text-decoration[\w-]*:[^;]*line-through/.test(style)) marks.isDeleted = true;
  const href = name === 'a' ? addressIn(node.getAttribute('href')) : null;
  if (href) marks.href = href;
  return marks;
}

/** Returns a web or mail address as Markdown writes it, or null for other addresses. */
function addressIn(written) {
  const address = written?.trim() ?? '';
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return null;
  return address.replaceAll(/[\s()<>\\]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

function image(node, marks) {
  const address = addressIn(node.getAttribute('src'));
  const alternative = escape(node.getAttribute('alt') ?? '').replaceAll(']', '\\]').replaceAll(/\s+/g, ' ').trim();
  return address?.startsWith('http') ? [{ href: marks.href, text: `![${alternative}](${address})` }] : [];
}

function inCode(text) {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  const mark = '`'.repeat(1 + Math.max(0, ...[...words.matchAll(/`+/g)].map(([run]) => run.length)));
  return mark.length > 1 ? `${mark} ${words} ${mark}` : `${mark}${words}${mark}`;
}

/** Writes words with their marks. Neighbours with the same mark share it, and the space around them is outside. */
function written(parts, [mark, ...inner] = MARKS) {
  if (!mark) return parts.map(({ text }) => text).join('').replaceAll(/ {2,}/g, ' ');
  const [name, around] = mark;
  const groups = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && (last.value ?? false) === (part[name] || false)) last.parts.push(part);
    else groups.push({ value: part[name] || false, parts: [part] });
  }
  return groups
    .map(({ value, parts: own }) => {
      const text = written(own, inner);
      if (!value || !text.trim()) return text;
      const [before, after] = [/^\s*/.exec(text)[0], /\s*$/.exec(text)[0]];
      return before + around(text.trim(), value) + after;
    })
    .join('');
}

/** Escapes what Markdown would read as marks. */
const escape = (text) =>
  text
    .replaceAll(/[\\`[]/g, '\\$&')
    .replaceAll(/\*(?=\S)|(?<=\S)\*/g, '\\*')
    .replaceAll(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/~~/g, '\\~~')
    .replaceAll(/<(?=[\w/!?])|&(?=#?\w+;)/g, '\\$&');

function list(node, context) {
  const start = Number(node.getAttribute('start') ?? 1);
  const entries = [];
  for (const child of node.children) {
    // Some programs write an inner list after its entry instead of in it.
    if (child.matches('ul, ol') && entries.length) entries.at(-1).blocks.push(list(child, context));
    else entries.push({ blocks: blocksOf(child, context), box: child.querySelector(':scope > input[type=checkbox], :scope > label > input[type=checkbox], :scope > p > input[type=checkbox]') });
  }
  const isLoose = entries.some(({ blocks }) => blocks.filter((block) => !/^(- |\d+\. )/.test(block)).length > 1);
  const texts = entries.filter(({ blocks }) => blocks.length).map(({ blocks, box }, at) => {
    const mark = node.localName === 'ol' ? `${start + at}. ` : '- ';
    const task = box ? `[${box.hasAttribute('checked') ? 'x' : ' '}] ` : '';
    return mark + task + blocks.join(isLoose ? '\n\n' : '\n').replaceAll(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`);
  });
  return texts.join(isLoose ? '\n\n' : '\n');
}

function code(node) {
  node.querySelectorAll('br').forEach((line) => line.replaceWith('\n'));
  const text = node.textContent.replace(/^\n|\s+$/g, '');
  const language = /\blang(?:uage)?-([\w+#-]+)/.exec(`${node.className} ${node.querySelector('code')?.className ?? ''}`)?.[1] ?? '';
  const mark = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${mark}${language}\n${text}\n${mark}`;
}

/** Returns whether a table contains data instead of the layout of a page. */
const isOfData = (node) => !node.querySelector('table, ul, ol, h1, h2, h3, h4, h5, h6, pre, blockquote') && node.querySelectorAll('tr').length > 1 && [...node.querySelectorAll('tr')].some((row) => row.cells.length > 1);

function table(node) {
  const cellsOf = (row) => [...row.cells].flatMap((cell) => [lineOf(cell).replaceAll('|', '\\|'), ...Array(Math.min(cell.colSpan, 100) - 1).fill('')]);
  const rows = [...node.rows].map(cellsOf).filter((cells) => cells.length);
  const width = Math.max(...rows.map((cells) => cells.length));
  const line = (cells) => `| ${[...cells, ...Array(width - cells.length).fill('')].join(' | ')} |`;
  const [head, ...others] = rows.map(line);
  return [head, `|${' --- |'.repeat(width)}`, ...others].join('\n');
}

/** Word writes the entries of a list as paragraphs with marks in their text. */
const isWordEntry = (node) => node?.matches('[class*="MsoListParagraph"]') && /mso-list:/.test(node.dataset.style ?? '');

function wordEntry(node) {
  const ignored = node.querySelector('[data-style*="Ignore"]');
  const number = /^\s*(\w+)[.)]/.exec(ignored?.textContent ?? '')?.[1];
  ignored?.remove();
  const level = Number(/\blevel(\d)/.exec(node.dataset.style)?.[1] ?? 1);
  return `${'   '.repeat(level - 1)}${number ? `${Number(number) || 1}. ` : '- '}${lineOf(node)}`;
}
