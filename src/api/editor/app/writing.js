// Markdown support for a text area: continues lists, adds marks around a selection, and turns pasted URLs into links.
// All edits use the browser's editing commands, so that the browser can undo them.

/** Adds the Markdown support to a text area. */
export function writeIn(area) {
  area.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key === 'b') edit(event, () => around(area, '**'));
    else if (command && event.key === 'i') edit(event, () => around(area, '*'));
    else if (command && event.key === 'k') edit(event, () => link(area, ''));
    else if (event.key === 'Enter' && !event.shiftKey && !command) goOn(area, event);
  });
  area.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain').trim() ?? '';
    const isSelected = area.selectionStart !== area.selectionEnd;
    if (isSelected && /^https?:\/\/\S+$/.test(text)) edit(event, () => link(area, text));
  });
}

function edit(event, change) {
  event.preventDefault();
  change();
}

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

function selected(area) {
  return area.value.slice(area.selectionStart, area.selectionEnd);
}

function around(area, mark) {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const isMarked = value.slice(start - mark.length, start) === mark && value.slice(end, end + mark.length) === mark;
  const text = selected(area);
  if (isMarked) {
    area.setSelectionRange(start - mark.length, end + mark.length);
    type(area, text);
    area.setSelectionRange(start - mark.length, end - mark.length);
  } else {
    type(area, `${mark}${text}${mark}`);
    area.setSelectionRange(start + mark.length, end + mark.length);
  }
}

function link(area, url) {
  const [start, text] = [area.selectionStart, selected(area)];
  type(area, `[${text}](${url})`);
  const at = url ? start + text.length + url.length + 4 : start + text.length + 3;
  area.setSelectionRange(at, at);
}

/**
 * Continues a list or a quote in the next line, and increments the number of a numbered list. Enter in an empty entry
 * ends the list. An empty line replaces the entry, because Markdown would read text in the next line as part of the
 * previous entry.
 */
function goOn(area, event) {
  const { selectionStart: at, selectionEnd: end, value } = area;
  if (at !== end) return;
  const start = value.lastIndexOf('\n', at - 1) + 1;
  const line = value.slice(start, at);
  const point = /^(\s*)(?:([-*+])|(\d+)([.)]))(\s+)(\[[ xX]\]\s+)?/.exec(line) ?? /^(\s*)(>)(\s*)/.exec(line);
  if (!point) return;
  event.preventDefault();
  if (line.length === point[0].length) {
    const above = value.slice(0, start).split('\n').at(-2) ?? '';
    area.setSelectionRange(start, at);
    type(area, above.trim() ? '\n' : '');
    return;
  }
  const mark = point[3] && point[4] ? `${Number(point[3]) + 1}${point[4]}` : point[2];
  const space = point[5] ?? point[3] ?? ' ';
  type(area, `\n${point[1]}${mark}${space}${point[6] ? '[ ] ' : ''}`);
}

/** Returns a form that finds and replaces text in an area. */
export function findIn(area, make) {
  const find = make('input', { type: 'search', id: 'find', autocomplete: 'off' });
  const replacement = make('input', { id: 'replacement', autocomplete: 'off' });
  const count = make('span', { role: 'status', class: 'soft' });
  const next = (event) => {
    event?.preventDefault();
    if (!find.value) return false;
    const [text, wanted] = [area.value.toLowerCase(), find.value.toLowerCase()];
    let at = text.indexOf(wanted, area.selectionEnd);
    if (at < 0) at = text.indexOf(wanted);
    count.textContent = at < 0 ? 'Not found' : '';
    if (at < 0) return false;
    area.focus();
    area.setSelectionRange(at, at + wanted.length);
    return true;
  };
  const replace = () => {
    if (selected(area).toLowerCase() === find.value.toLowerCase() && find.value) type(area, replacement.value);
    next();
  };
  const replaceAll = () => {
    if (!find.value) return;
    const pattern = new RegExp(find.value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
    const found = area.value.match(pattern)?.length ?? 0;
    if (found) {
      const text = area.value.replace(pattern, () => replacement.value);
      area.select();
      type(area, text);
    }
    count.textContent = found === 1 ? '1 replaced' : `${found} replaced`;
  };
  const button = (name, action) => {
    const made = make('button', { type: 'button', class: 'quiet' }, name);
    made.addEventListener('click', action);
    return made;
  };
  const form = make(
    'form',
    { class: 'find', hidden: '' },
    make('label', { for: 'find' }, 'Find'),
    find,
    make('label', { for: 'replacement' }, 'Replace with'),
    replacement,
    make('button', { class: 'quiet' }, 'Next'),
    button('Replace', replace),
    button('Replace all', replaceAll),
    count,
  );
  form.addEventListener('submit', next);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    form.hidden = true;
    area.focus();
  });
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'f') return;
    event.preventDefault();
    form.hidden = false;
    find.value = selected(area) || find.value;
    find.select();
  });
  return form;
}
