// What makes a text area good for Markdown: lists that go on, marks around a selection, links that are pasted. Each edit
// goes through the browser, so that its own undo takes it back.

/** Makes a text area good. */
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

/** Puts a text in the place of the selection, as if it was typed. */
export function type(area, text) {
  area.focus();
  if (!text && area.selectionStart === area.selectionEnd) return;
  // The only commands that keep the browser's undo. Chromium puts the caret into the line above if a last line is replaced by an empty text.
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
 * Continues a list or a quote in the next line, a numbered list with the next number. Enter in an empty point ends it: an empty line
 * takes its place, because Markdown reads a text in the very next line as a part of the point above.
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

/** Finds a text in an area, and replaces it. */
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
    make('label', { for: 'replacement' }, 'Replace by'),
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
