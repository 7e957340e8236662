// One file: its fields, its text, how it will look, and what a save will change.

import { ask, Refused, Offline } from './server.js';
import { element, tell } from './page.js';
import { formOf } from './form.js';
import { addressOf, kindOf, markdownOf, sending, shown } from './media.js';
import { soundBeside } from './sound.js';
import { writeIn, findIn, type } from './writing.js';
import { difference, parts } from './difference.js';

// How long nobody types before a text is looked at, and before a draft is saved, in milliseconds.
const PAUSE = 400;
const SAVE = 2500;
// How often the file on the disk is looked at.
const AGAIN = 4000;

// Kinds of files that are texts alone.
const WITHOUT_FIELDS = ['chapters', 'transcript'];

const schemas = {};

async function schemaOf(kind) {
  schemas[kind] ??= await ask('schema', { kind });
  return schemas[kind];
}

/** What is not saved yet stays in this browser, whatever happens to the page, the server or the machine. */
const kept = {
  key: (path) => `feedwright-unsaved:${path}`,
  read(path) {
    try {
      return JSON.parse(localStorage.getItem(this.key(path)));
    } catch {
      return null;
    }
  },
  write(path, text, version) {
    localStorage.setItem(this.key(path), JSON.stringify({ text, version }));
  },
  forget(path) {
    localStorage.removeItem(this.key(path));
  },
};

/** Shows a file. Answers what is asked before another view is shown. */
export async function showDocument(main, site, path, from = '') {
  const there = await ask('open', { path });
  const isContent = !WITHOUT_FIELDS.includes(there.kind);
  const known = { schema: isContent ? await schemaOf(there.kind) : {}, choices: await ask('choices', { path }) };
  const file = new OpenFile(main, site, path, there, known);
  if (!isContent) await file.listen(from);
  const unsaved = kept.read(path);
  const onDisk = there.head + there.body;
  if (unsaved && unsaved.text !== onDisk) {
    await file.take(unsaved.text);
    if (unsaved.version === there.version) tell('What was not saved yet is here again.');
    else file.conflict(there);
  } else {
    kept.forget(path);
  }
  return () => file.leave();
}

class OpenFile {
  constructor(main, site, path, there, { schema, choices }) {
    Object.assign(this, { main, path, site, kind: there.kind, values: there.values ?? {}, sending: sending() });
    this.saved = { text: there.head + there.body, version: there.version };
    Object.assign(this, { pending: 0, edits: Promise.resolve() });
    const { title, form, show } = formOf(schema, (keys, value) => this.edit(keys, value), { media: this.media(), choices });
    Object.assign(this, { title, form, show });
    this.area = element('textarea', { id: 'body', dir: 'auto', spellcheck: 'true', 'aria-label': 'Text' });
    this.view = element('div', { class: 'look' });
    this.state = element('p', { role: 'status', class: 'state' });
    this.problems = element('ul', { class: 'faults', 'aria-label': 'What is wrong' });
    this.panel = element('section', { class: 'panel', hidden: '' });
    writeIn(this.area);
    this.area.addEventListener('input', () => this.typed());
    this.build(there);
    this.takeFiles();
    this.fill(there);
    this.timer = setInterval(() => this.lookAgain(), AGAIN);
    this.onKey = (event) => this.key(event);
    this.onOnline = () => this.changed();
    addEventListener('keydown', this.onKey);
    addEventListener('back-online', this.onOnline);
  }

  build(there) {
    const button = (name, action, kind = 'quiet') => {
      const made = element('button', { type: 'button', class: kind }, name);
      made.addEventListener('click', action);
      return made;
    };
    this.saveButton = button('Save', () => this.save(), '');
    const tools = element('div', { class: 'tools' }, this.saveButton, button('What changes', () => this.toggleDifference()));
    this.publishButton = button('Publish', () => this.edit(['status'], null));
    if (!['channel', ...WITHOUT_FIELDS].includes(there.kind)) tools.append(this.publishButton);
    if (there.kind !== 'channel') tools.append(button('Delete', () => this.remove()));
    const chosen = element('input', { type: 'file', multiple: '', hidden: '', tabindex: '-1', 'aria-hidden': 'true' });
    chosen.addEventListener('change', () => this.give([...chosen.files]));
    const files = WITHOUT_FIELDS.includes(there.kind) ? [] : [button('Add files', () => chosen.click()), chosen];
    this.main.replaceChildren(
      element('div', { class: 'bar' }, element('h1', { dir: 'auto' }, there.values?.title || this.path), tools, this.state),
      this.panel,
      element(
        'div',
        { class: 'sides' },
        element('div', { class: 'write' }, this.problems, this.title, element('div', { class: 'tools' }, ...files), this.sending.list, findIn(this.area, element), this.area, element('p', { class: 'soft' }, this.path), this.form),
        this.view,
      ),
    );
  }

  /** What fields ask about files. */
  media() {
    const folder = this.path.split('/').slice(0, -1).join('/');
    const sound = () => {
      const held = this.values.attachment;
      return typeof held === 'object' && held !== null ? held.url : held;
    };
    return {
      send: (file) => this.sending.add(this.path, file),
      addressOf: (reference) => addressOf(this.path, reference),
      shown: (reference) => shown(this.path, reference),
      sound,
      player: () => (['audio', 'video'].includes(kindOf(sound())) ? shown(this.path, sound()) : null),
      writeAt: (reference) => {
        if (typeof reference !== 'string' || !/\.(vtt|srt)$|chapters[^/]*\.(json|txt)$/i.test(reference) || /^\w+:/.test(reference)) return null;
        const path = reference.startsWith('/media/') ? `content${reference}` : `${folder}/${reference}`;
        return `#/open/${[...path.split('/'), '', ...this.path.split('/')].map(encodeURIComponent).join('/')}`;
      },
    };
  }

  /** Files that are dropped or pasted are sent, and named where they belong. */
  takeFiles() {
    if (WITHOUT_FIELDS.includes(this.kind)) return;
    const side = this.main.querySelector('.write');
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
    for (const name of ['dragenter', 'dragover']) {
      side.addEventListener(name, (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        side.classList.add('is-over');
      });
    }
    side.addEventListener('dragleave', (event) => side.contains(event.relatedTarget) || side.classList.remove('is-over'));
    side.addEventListener('drop', (event) => {
      side.classList.remove('is-over');
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      this.give([...event.dataTransfer.files], event.target === this.area);
    });
    this.area.addEventListener('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!files.length || event.clipboardData.getData('text/plain')) return;
      event.preventDefault();
      this.give(files, true);
    });
  }

  /** Sends files, and names each: in its field where that is empty, else in the text. */
  async give(files, isForText = false) {
    for (const file of files) {
      const kept = await this.sending.add(this.path, file);
      if (!kept) continue;
      const { attachment, podcast = {} } = this.values;
      const kind = kindOf(kept.reference);
      const isItem = this.kind === 'item' && !isForText;
      if (isItem && ['audio', 'video'].includes(kind) && !attachment) await this.edit(['attachment'], kept.reference);
      else if (isItem && kind === 'image' && !this.values.image) await this.edit(['image'], kept.reference);
      else if (isItem && /\.(vtt|srt)$/.test(kept.reference)) await this.edit(['podcast', 'transcripts'], [...[podcast.transcripts ?? []].flat(), kept.reference]);
      else if (isItem && /chapters[^/]*\.(json|txt)$/.test(kept.reference) && !podcast.chapters) await this.edit(['podcast', 'chapters'], kept.reference);
      else type(this.area, markdownOf(file, kept));
      tell(`${file.name} is at ${kept.path}.`);
    }
  }

  /** The sound beside a file of chapters or of what is said. It is that of the text that leads here, or lies in the same folder. */
  async listen(given) {
    const folder = this.path.split('/').slice(0, -1).join('/');
    const from = given || this.site.files.find(({ path }) => /^index\.(md|html)$/.test(path.replace(`${folder}/`, '')))?.path;
    const text = from ? await ask('open', { path: from }).catch(() => null) : null;
    const held = text?.values?.attachment;
    const reference = typeof held === 'object' && held !== null ? held.url : held;
    const player = ['audio', 'video'].includes(kindOf(reference)) ? shown(from, reference) : null;
    this.view.replaceChildren(soundBeside(this.area, this.path, this.kind, player));
  }

  /** The whole text. A line that was written ends as lines do. */
  get text() {
    const text = this.head + this.area.value;
    return text === this.saved.text || !this.area.value || text.endsWith('\n') ? text : `${text}\n`;
  }

  get isSaved() {
    return this.text === this.saved.text && !this.pending;
  }

  /** Shows what the server says of a text. */
  fill(described) {
    this.head = described.head;
    if (this.area.value !== described.body) this.area.value = described.body;
    this.tellAll(described);
    this.preview();
  }

  tellAll({ values, problems, kind }) {
    this.values = values ?? {};
    this.form.hidden = this.title.hidden = values === null || WITHOUT_FIELDS.includes(kind);
    this.show(this.values, problems);
    this.problems.replaceChildren(
      ...problems.map((fault) =>
        element(
          'li',
          { class: fault.severity },
          element('strong', {}, fault.severity === 'error' ? 'Error: ' : 'Warning: '),
          fault.message,
          fault.line ? ` (line ${fault.line})` : '',
          fault.help ? element('p', { class: 'soft' }, fault.help) : '',
        ),
      ),
    );
    this.isDraft = this.values.status === 'unpublished';
    this.publishButton.hidden = !this.isDraft || kind === 'channel';
    const heading = this.main.querySelector('h1');
    if (heading) heading.textContent = this.values.title || this.path;
    this.tellState();
  }

  tellState(words) {
    this.state.textContent = words ?? (this.isSaved ? 'Saved' : this.isDraft ? 'Draft, saved in a moment' : 'Not saved');
    this.saveButton.disabled = this.isSaved;
  }

  /** Takes another text in place of this one. */
  async take(text) {
    this.fill(await ask('look', { path: this.path, text }));
    this.changed();
  }

  typed() {
    this.changed();
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.look(), PAUSE);
  }

  changed() {
    if (this.isSaved) kept.forget(this.path);
    else kept.write(this.path, this.text, this.saved.version);
    this.tellState();
    clearTimeout(this.saving);
    if (this.isDraft && !this.isSaved && this.panel.dataset.shows !== 'conflict') this.saving = setTimeout(() => this.save(), SAVE);
    if (this.panel.dataset.shows === 'difference') this.showDifference();
  }

  async look() {
    const text = this.text;
    const described = await ask('look', { path: this.path, text }).catch(ignoreOffline);
    if (!described || this.text !== text) return;
    // A line of dashes at the top of the body may have become front matter.
    this.head = described.head;
    if (this.area.value !== described.body) this.area.value = described.body;
    this.tellAll(described);
    this.preview();
  }

  /** Changes a field, and nothing else of the text: one after the other, since each begins with the text of the last. */
  edit(keys, value) {
    this.pending += 1;
    this.tellState();
    const last = this.edits;
    this.edits = (async () => {
      await last;
      await this.editNow(keys, value);
      this.pending -= 1;
      this.tellState();
    })();
    return this.edits;
  }

  async editNow(keys, value) {
    const body = this.area.value;
    try {
      const described = await ask('edit', { path: this.path, text: this.text, changes: [{ keys, value }] });
      // Who types on meanwhile loses nothing.
      if (this.area.value !== body) described.body = this.area.value;
      this.fill(described);
      this.changed();
    } catch (error) {
      if (error instanceof Offline) tell('This field cannot be changed while the server does not answer.');
      else tell(error.message);
      this.show(this.values, []);
    }
  }

  async preview() {
    const text = this.text;
    if (this.previewed === text || WITHOUT_FIELDS.includes(this.kind)) return;
    this.previewed = text;
    const made = await ask('preview', { path: this.path, text }).catch((error) => (error instanceof Refused ? { error } : null));
    if (!made || this.text !== text) return;
    if (made.error) this.view.replaceChildren();
    else this.lookAt(made.address);
  }

  /** Shows a page in place of the one before, once it is there, and where that was scrolled to. */
  lookAt(address) {
    const frame = element('iframe', { title: 'Preview', sandbox: 'allow-same-origin allow-popups', src: address });
    const before = this.view.querySelector('iframe.is-shown');
    frame.addEventListener('load', () => {
      frame.contentWindow?.scrollTo(0, before?.contentWindow?.scrollY ?? 0);
      frame.classList.add('is-shown');
      for (const other of [...this.view.children]) if (other !== frame && other.compareDocumentPosition(frame) & Node.DOCUMENT_POSITION_FOLLOWING) other.remove();
    });
    this.view.append(frame);
  }

  async save() {
    clearTimeout(this.saving);
    await this.edits;
    if (this.isSaved || this.isSaving) return;
    this.isSaving = true;
    const text = this.text;
    this.tellState('Saving…');
    try {
      const { version } = await ask('save', { path: this.path, text, version: this.saved.version });
      this.saved = { text, version };
      this.changed();
    } catch (error) {
      if (error instanceof Refused && error.status === 409) this.conflict(error.answer);
      else if (error instanceof Offline) this.tellState('Not saved: the server does not answer');
      else this.tellState(`Not saved: ${error.message}`);
    }
    this.isSaving = false;
  }

  /** Looks whether somebody else has saved the file. */
  async lookAgain() {
    if (document.hidden || this.isSaving || this.panel.dataset.shows === 'conflict') return;
    const there = await ask('open', { path: this.path, version: this.saved.version }).catch(() => null);
    if (!there || this.isSaving || there.version === this.saved.version) return;
    if (this.isSaved) {
      this.saved = { text: there.head + there.body, version: there.version };
      this.fill(there);
      tell('The file was changed elsewhere: this is its new text.');
    } else {
      this.conflict(there);
    }
  }

  /** Somebody else has saved the file: both texts are shown, and nothing is lost. */
  conflict(there) {
    const theirs = there.version === null ? '' : there.head + there.body;
    const heading = there.version === null ? 'The file was deleted elsewhere' : 'The file was changed elsewhere';
    const choose = (name, action) => {
      const button = element('button', { type: 'button', class: 'quiet' }, name);
      button.addEventListener('click', action);
      return button;
    };
    const end = () => {
      this.panel.hidden = true;
      delete this.panel.dataset.shows;
    };
    this.open('conflict', [
      element('h2', {}, heading),
      element('p', {}, 'Lines with − stand in the file now, lines with + are yours. Nothing was saved over it.'),
      lines(theirs, this.text),
      element(
        'div',
        { class: 'tools' },
        choose('Save mine over it', () => {
          end();
          this.saved = { text: theirs, version: there.version };
          this.save();
        }),
        choose('Take the file, drop mine', () => {
          end();
          this.saved = { text: theirs, version: there.version };
          this.fill(there);
          this.changed();
        }),
        choose('Edit mine first', () => {
          end();
          this.saved = { text: theirs, version: there.version };
          this.changed();
          clearTimeout(this.saving);
          this.area.focus();
        }),
      ),
    ]);
    this.panel.querySelector('button').focus();
  }

  open(what, children) {
    this.panel.dataset.shows = what;
    this.panel.hidden = false;
    this.panel.replaceChildren(...children);
  }

  toggleDifference() {
    if (this.panel.dataset.shows === 'difference' && !this.panel.hidden) {
      this.panel.hidden = true;
      delete this.panel.dataset.shows;
    } else if (this.panel.dataset.shows !== 'conflict') {
      this.showDifference();
    }
  }

  showDifference() {
    const same = element('p', {}, 'Nothing: the file holds this text.');
    this.open('difference', [
      element('h2', {}, 'What a save changes'),
      this.isSaved ? same : lines(this.saved.text, this.text),
    ]);
  }

  async remove() {
    const sure = confirm(`Move ${this.path} to the trash? It stays in .feedwright/trash/.`);
    if (!sure) return;
    try {
      await ask('remove', { path: this.path });
    } catch (error) {
      return this.tellState(`Not deleted: ${error.message}`);
    }
    kept.forget(this.path);
    this.saved.text = this.text;
    location.hash = this.path.startsWith('content/pages/') ? '#/pages' : '#/items';
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      this.save();
    }
  }

  /** Another view is shown: what is not saved stays in this browser. */
  leave() {
    clearInterval(this.timer);
    clearTimeout(this.looking);
    removeEventListener('keydown', this.onKey);
    removeEventListener('back-online', this.onOnline);
    if (this.isDraft) this.save();
    return true;
  }
}

function lines(before, after) {
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

function ignoreOffline(error) {
  if (!(error instanceof Offline)) throw error;
  return null;
}
