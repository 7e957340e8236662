// The whole file as text: its front matter and its body, with the problems by line and completion of keys.

import { element, tell } from './page.js';
import { ask, Offline } from './server.js';
import { offerKeys } from './completion.js';

/** Normalizes line endings as a text area does. */
const plain = (text) => text.replace(/\r\n?/g, '\n');

/**
 * Returns the text of an area with the line endings of its file. `whole` is the text that the area was filled with, and
 * is returned unchanged if nobody has typed.
 */
export function textIn(area, whole, saved) {
  const { value } = area;
  if (value === plain(whole)) return whole;
  const text = value + (!value || value.endsWith('\n') ? '' : '\n');
  return saved.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** Fills an area. A missing line ending is only added when saving, so that the caret stays in the last line. */
export function fillArea(area, text) {
  const [body, { value }] = [plain(text), area];
  if (body !== value && (!value || body !== `${value}\n`)) area.value = body;
}

class FileView {
  constructor(file, schema, form) {
    this.file = file;
    this.area = element('textarea', { id: 'whole', dir: 'auto', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-label': 'The whole file', 'aria-describedby': 'whole-help' });
    this.problems = element('ul', { class: 'faults', 'aria-label': 'Problems in the file' });
    const sheet = element('div', { class: 'whole-sheet' }, this.area);
    const help = element('p', { class: 'help', id: 'whole-help' }, 'The fields come first, between two lines of +++ or ---, and the text follows. Names of fields are suggested while you type.');
    this.view = element('section', { class: 'whole', 'aria-label': 'The file' }, help, this.problems, sheet, element('p', { class: 'soft' }, file.path));
    this.area.addEventListener('input', () => file.typed());
    offerKeys(this.area, sheet, schema, form);
    fillArea(this.area, file.text);
  }

  get text() {
    const { head, body, saved } = this.file;
    return textIn(this.area, head + body, saved.text);
  }

  /** Shows the problems. Those with a line lead to it. */
  tell(problems) {
    const byLine = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    this.problems.replaceChildren(...byLine.map((problem) => this.problem(problem)));
  }

  problem({ severity, message, line, help }) {
    const kind = severity === 'error' ? 'Error' : 'Warning';
    const words = [element('strong', {}, `${kind}: `), message];
    const place = element('button', { type: 'button', class: 'quiet small line', 'aria-label': `Line ${line}: ${message}` }, `Line ${line}`);
    place.addEventListener('click', () => this.select(line));
    return element('li', { class: severity }, ...(line ? [place, ' '] : []), ...words, help ? element('p', { class: 'soft' }, help) : '');
  }

  /** Selects a line, and scrolls to it. */
  select(line) {
    const lines = this.area.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, own) => sum + own.length + 1, 0);
    // A browser scrolls to the caret when the area gets the focus.
    this.area.blur();
    this.area.setSelectionRange(start, start);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
}

/** Shows the whole file as text, or the form again. */
export async function toggleWhole(file) {
  if (file.whole) return showForm(file);
  await file.edits;
  file.whole = new FileView(file, file.schema, file.formName);
  file.main.querySelector('.write').append(file.whole.view);
  mark(file, true);
  file.tellFound();
  file.whole.area.focus();
  file.whole.area.setSelectionRange(0, 0);
}

/** Shows the form again. Only the server knows where the text begins. */
async function showForm(file) {
  for (let text; file.text !== text; ) {
    text = file.text;
    const described = await ask('look', { path: file.path, text }).catch((error) => {
      if (!(error instanceof Offline)) throw error;
    });
    if (!described) return tell('The form is shown when the server answers again.');
    if (file.text === text) file.fill(described);
  }
  file.whole.view.remove();
  file.whole = null;
  mark(file, false);
  file.changed();
}

function mark(file, isWhole) {
  file.main.querySelector('.write').classList.toggle('is-whole', isWhole);
  file.wholeButton.textContent = isWhole ? 'Back to the form' : 'Edit the file';
}
