// An open file: its fields, its text, its preview, and the changes that a save would make.

import { ask, backOnline, isSignedOut, sentenceOf, Refused, Offline } from './server.js';
import { button, element, tell } from './page.js';
import { formOf } from './form.js';
import { give, mediaOf, takeFiles } from './given.js';
import { sending } from './media.js';
import { begunAs, takeHanded } from './begun.js';
import { followCaret, previewBeside, replacePreview } from './preview.js';
import { SiteFile } from './site_file.js';
import { listen } from './sound.js';
import { buttonsOf, WITH_DRAFTS } from './buttons.js';
import { fillArea, textIn } from './file_view.js';
import { withChanges } from './rows.js';
import { formNameOf } from './sections.js';
import { askOnline, askToPublish, isDraft, publishNow, showVisibility } from './visibility.js';
import { timesOf } from './when.js';
import { offer, showConflict, textOf } from './two_texts.js';
import { findIn } from './find.js';
import { sheetOf } from './sheet.js';
import { writeIn } from './writing.js';
import { told } from './wrong.js';
import { lines } from './difference.js';
import { translationsOf } from './translations.js';
import { forget, isOwn, keep, keptOf } from './kept.js';
import { address } from './list.js';

// Pause in typing before a text is checked, and before a draft is saved, in milliseconds.
const PAUSE = 400;
const SAVE = 2500;
// Interval for checking the file on the disk, in milliseconds.
const AGAIN = 4000;

// Kinds of files without fields.
const WITHOUT_FIELDS = ['chapters', 'transcript', 'site-file'];

// Kinds without a preview. They refer to no other files.
const WITHOUT_PREVIEW = [...WITHOUT_FIELDS, 'calendar'];
const WITHOUT_FILES = WITHOUT_PREVIEW;

// Names of texts, by the form.
const TEXTS = { episode: 'Notes', channel: 'Description' };

// Kinds whose fields matter more than their text.
const FIELDS_FIRST = ['event', 'calendar'];

const schemas = {};

async function schemaOf(kind) {
  schemas[kind] ??= await ask('schema', { kind });
  return schemas[kind];
}

/** Shows a file. Returns a function to call before another view is shown. */
export async function showDocument(main, site, path, from = '') {
  const there = await ask('open', { path });
  const isContent = !WITHOUT_FIELDS.includes(there.kind);
  const known = isContent ? { schema: await schemaOf(there.kind), choices: await ask('choices', { path }) } : { schema: {}, choices: null };
  const file = new OpenFile(main, site, path, there, known);
  try {
    if (['chapters', 'transcript'].includes(there.kind)) await listen(file, from);
    await takeUnsaved(file, there);
    file.handed = takeHanded(file);
  } catch (error) {
    await file.leave();
    throw error;
  }
  return () => file.leave();
}

/** Restores unsaved text from this browser, if there is any. */
async function takeUnsaved(file, there) {
  const { path } = file;
  const [unsaved, ...others] = keptOf(path).filter(({ text, key }) => text !== textOf(there) || forget(path, key));
  if (unsaved) {
    await file.take(unsaved);
    if (unsaved.version !== there.version) showConflict(file, there);
    else if (others.length) offer(file, others[0]);
    else if (file.main.isConnected) tell('Your unsaved text was restored.');
  }
}

class OpenFile {
  constructor(main, site, path, there, { schema, choices }) {
    Object.assign(this, { main, path, site, kind: there.kind, values: there.values ?? {}, sending: sending() });
    this.textName = element('label', { for: 'body', class: 'text-name' });
    this.saved = { text: textOf(there), version: there.version };
    Object.assign(this, { pending: 0, edits: Promise.resolve(), faults: there.faults ?? [], isKept: true, sent: [] });
    // `waiting` has the changes of fields that the server has not made yet.
    Object.assign(this, { schema, choices, savedValues: null, waiting: [] });
    this.area = element('textarea', { id: 'body', dir: 'auto', spellcheck: 'true' });
    this.makeForm();
    this.view = element('div', { class: 'look' });
    Object.assign(this, followCaret(main, this.view, () => this.caret));
    this.times = element('section', { class: 'times', 'aria-label': 'Dates of the event' });
    this.state = element('p', { role: 'status', class: 'state' });
    this.visibility = element('p', { role: 'status', id: 'visibility', class: 'visibility soft' });
    this.problems = element('ul', { class: 'faults', 'aria-label': 'Problems' });
    this.panel = element('section', { class: 'panel', hidden: '' });
    if (there.kind === 'site-file') this.siteFile = new SiteFile(this, there);
    else if (this.isMarkdown) writeIn(this.area);
    this.area.addEventListener('input', () => this.typed());
    this.build(there);
    if (!WITHOUT_FILES.includes(there.kind)) takeFiles(this);
    this.fill(there);
    this.timer = setInterval(() => this.lookAgain(), AGAIN);
    this.onKey = (event) => this.key(event);
    this.onOnline = () => this.changed();
    this.onClose = (event) => (this.isKept && !this.pending && !this.sending.isBusy()) || event.preventDefault();
    addEventListener('keydown', this.onKey);
    addEventListener('back-online', this.onOnline);
    addEventListener('beforeunload', this.onClose);
  }

  /** Makes the form that fits the values. An item with its first recording is an episode from then on. */
  makeForm() {
    const { kind, choices, site } = this;
    const known = this.formName ?? begunAs(this.path) ?? site.files.find(({ path }) => path === this.path)?.form;
    const name = formNameOf(kind, this.values, known);
    if (name === this.formName) return;
    const given = { kind, name, media: mediaOf(this), choices, zone: site.time_zone ?? 'UTC' };
    const { title, form, show } = formOf(this.schema, (keys, value) => this.edit(keys, value), given);
    const focused = document.activeElement?.id;
    this.title?.replaceWith(title);
    this.form?.replaceWith(form);
    Object.assign(this, { title, form, show, formName: name });
    this.textName.textContent = TEXTS[name] ?? 'Text';
    this.area.setAttribute('aria-label', this.textName.textContent);
    if (/^field-/.test(focused) && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  }

  build(there) {
    const { tools, others } = buttonsOf(this);
    const chosen = element('input', { type: 'file', multiple: '', hidden: '', tabindex: '-1', 'aria-hidden': 'true' });
    chosen.addEventListener('change', () => give(this, [...chosen.files]));
    const files = WITHOUT_FILES.includes(there.kind) ? [] : [button('Add files', () => chosen.click()), chosen];
    const isMarkdown = files.length > 0 && this.isMarkdown;
    const hint = files.length > 0 && !isMarkdown ? element('p', { class: 'help' }, 'This text is HTML. The formatting buttons write Markdown, so they are not shown.') : '';
    const folded = (area) => element('details', { class: 'group' }, element('summary', {}, 'The file as text'), area);
    const area = this.kind === 'calendar' ? folded(this.area) : isMarkdown ? sheetOf(this.area, (images) => give(this, images, true)) : this.area;
    const text = [element('div', { class: 'text-head' }, this.textName, hint, ...files), findIn(this.area), area, element('p', { class: 'soft' }, this.path)];
    const site = this.siteFile ? [this.siteFile.help, this.siteFile.settings] : [];
    const isFirst = FIELDS_FIRST.includes(this.kind);
    this.area.classList.toggle('short', isFirst);
    this.main.replaceChildren(
      element('div', { class: 'bar' }, element('h1', { dir: 'auto' }, this.name), tools, this.state),
      element('div', { class: 'under' }, this.visibility, others),
      translationsOf(this),
      this.panel,
      element(
        'div',
        { class: this.kind === 'calendar' ? 'sides alone' : 'sides' },
        element('div', { class: 'write' }, this.problems, this.sending.list, this.title, ...(isFirst ? [this.form, ...text] : [...text, ...site, this.form])),
        ...(this.siteFile ? [this.siteFile.view] : WITHOUT_PREVIEW.includes(this.kind) ? [element('div', { class: 'looks' }, this.view)] : previewBeside(this.view, this.follow, this.times)),
      ),
    );
  }

  /** Returns the name of the file. */
  get name() {
    return this.values[FIELDS_FIRST.includes(this.kind) ? 'summary' : 'title'] || this.heading || this.siteFile?.facts?.filename || this.path;
  }

  /**
   * Returns the whole text. Restores the file's line endings, because browsers normalize line endings in a text area.
   */
  get text() {
    return this.whole?.text ?? this.head + textIn(this.area, this.body, this.saved.text);
  }

  get isMarkdown() {
    return this.path.endsWith('.md');
  }

  /** Returns the area that is edited, and the number of lines above the body in it. */
  get caret() {
    return { area: this.whole?.area ?? this.area, above: this.whole ? this.head.split('\n').length - 1 : 0 };
  }

  get isSaved() {
    return this.text === this.saved.text && !this.pending;
  }

  /** Shows what the server found in a text. Keeps anything that the person has typed in the meantime. */
  fill(described, isWhole = true) {
    Object.assign(this, { head: described.head, body: described.body });
    if (isWhole) fillArea(this.area, described.body);
    if (isWhole && this.whole) fillArea(this.whole.area, described.head + described.body);
    this.area.dispatchEvent(new Event('filled'));
    this.tellAll(described);
    this.preview();
  }

  tellAll(described) {
    const { values, problems, kind } = described;
    this.values = values ?? {};
    this.isParsed = values !== null;
    if (this.isParsed) this.makeForm();
    this.form.hidden = this.title.hidden = values === null || WITHOUT_FIELDS.includes(kind);
    this.found = problems;
    this.tellFound();
    this.isDraft = kind === 'site-file' || (WITH_DRAFTS.includes(kind) && isDraft(this.values));
    // A file whose fields cannot be parsed must be fixed as text.
    if (values === null) this.area.closest('details')?.setAttribute('open', '');
    this.siteFile?.show(described);
    const heading = this.main.querySelector('h1');
    // The name stays while the front matter is being typed.
    if (heading && !(this.whole && values === null)) heading.textContent = this.name;
    this.tellState();
  }

  /** Shows the problems of the text, and those that `check` reports if the text is saved. */
  tellFound() {
    const isSame = (one) => (other) => other.message === one.message && other.line === one.line;
    const others = this.isSaved ? this.faults.filter((fault) => !this.found.some(isSame(fault))) : [];
    const all = [...this.found, ...others];
    this.show(withChanges(this.values, this.waiting), all);
    this.problems.replaceChildren(...all.map((fault) => told(this, fault)));
    this.whole?.tell(all);
  }

  /** Returns whether a problem is already shown above the text. */
  isTold({ message }) {
    return [...this.found, ...(this.isSaved ? this.faults : [])].some((other) => other.message === message);
  }

  tellState(words) {
    const kept = this.isKept ? 'Not saved' : 'Not saved, and this browser has no space to store the text: save it now';
    this.state.textContent = words ?? (this.isSaved ? 'Saved' : this.isDraft && this.isKept ? 'Draft, will be saved in a moment' : kept);
    this.saveButton.disabled = this.isSaved;
    this.siteFile?.enable();
    this.tellVisibility();
  }

  /** Says who can see the saved file, and makes the next step of its author the main button. */
  tellVisibility() {
    if (this.isSaved) this.savedValues = this.isParsed ? this.values : null;
    if (!WITH_DRAFTS.includes(this.kind)) return;
    if (this.isSaved) askOnline(this);
    const isPublishing = this.panel.dataset.shows === 'publish';
    showVisibility(this, isPublishing);
    this.publishButton.className = this.isDraft && !isPublishing ? '' : 'quiet';
    this.saveButton.className = this.isDraft || isPublishing ? 'quiet' : '';
  }

  /** Replaces this text with an unsaved one from the browser. This window stores that text from now on. */
  async take({ text, key }) {
    this.fill(await ask('look', { path: this.path, text }));
    this.changed();
    if (this.isKept && !isOwn(key)) forget(this.path, key);
  }

  typed() {
    this.changed();
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.look(), PAUSE);
  }

  changed() {
    if (this.isSaved) forget(this.path);
    this.isKept = this.isSaved || keep(this.path, this.text, this.saved.version);
    this.tellState();
    clearTimeout(this.saving);
    if (this.isDraft && !this.isSaved && this.panel.dataset.shows !== 'conflict') this.saving = setTimeout(() => this.save(), SAVE);
    if (this.panel.dataset.shows === 'difference') this.showDifference();
  }

  async look() {
    const text = this.text;
    const described = await ask('look', { path: this.path, text }).catch(ignoreOffline);
    if (!described || this.text !== text) return;
    // The new body may start with front matter, so the server decides where the body begins.
    this.fill(described);
  }

  /**
   * Changes one field and no other byte of the text. Changes run in sequence, because each starts with the previous
   * text.
   */
  edit(keys, value) {
    this.pending += 1;
    this.waiting.push({ keys, value });
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
    const text = this.text;
    try {
      const described = await ask('edit', { path: this.path, text, changes: [{ keys, value }] });
      const isSame = this.whole ? this.text === text : this.area.value === body;
      // The text area contains the whole file. Repeats the change with the text typed in the meantime.
      if (!isSame && (this.whole || this.kind === 'calendar')) return await this.editNow(keys, value);
      this.waiting.shift();
      this.fill(described, isSame);
      this.changed();
    } catch (error) {
      // The field keeps the input.
      if (isSignedOut(error)) {
        tell(sentenceOf(error));
        await backOnline();
      } else if (error instanceof Offline) {
        tell('This field will be changed when the server answers again.');
        await new Promise((done) => setTimeout(done, AGAIN / 2));
      } else {
        this.waiting.shift();
        return tell(error.message);
      }
      await this.editNow(keys, value);
    }
  }

  /** Publishes a draft at once. The date and the visibility of another file are chosen first. */
  publish() {
    if (!this.isDraft) this.choose();
    else if (this.panel.dataset.shows !== 'conflict') publishNow(this);
  }

  choose() {
    if (this.panel.dataset.shows === 'publish') this.closePublishing();
    else if (this.panel.dataset.shows !== 'conflict') askToPublish(this);
    this.tellVisibility();
  }

  closePublishing() {
    const hasFocus = this.panel.contains(document.activeElement);
    if (this.panel.dataset.shows === 'publish') this.close();
    this.tellVisibility();
    if (hasFocus) (this.isDraft ? this.dateButton : this.publishButton).focus();
  }

  async preview() {
    const text = this.text;
    if (this.previewed === text || !this.isParsed || WITHOUT_PREVIEW.includes(this.kind)) return;
    this.previewed = text;
    const made = await ask('preview', { path: this.path, text }).catch((error) => (error instanceof Refused ? { error } : null));
    if (!made || this.text !== text) return;
    this.times.replaceChildren(...(made.times ? timesOf(made.times, (fault) => this.isTold(fault)) : []));
    if (made.error) this.view.replaceChildren();
    else this.lookAt(made.address);
  }

  lookAt(address) {
    // The preview of an event is the list of upcoming events on the home page.
    const first = (page) => this.kind === 'event' && page.querySelector('.upcoming');
    replacePreview(this.view, address, { first, shown: this.refreshed, failed: () => (this.previewed = null) });
  }

  /** Saves the text. Only one save runs at a time. */
  save() {
    clearTimeout(this.saving);
    this.isSaving ??= this.saveNow().finally(() => (this.isSaving = null));
    return this.isSaving;
  }

  async saveNow() {
    await this.edits;
    if (this.isSaved) return;
    const text = this.text;
    this.sent.push(text);
    this.tellState('Saving…');
    try {
      const there = await ask('save', { path: this.path, text, version: this.saved.version });
      Object.assign(this, { saved: { text, version: there.version }, sent: [] });
      this.siteFile?.show(there);
      this.changed();
    } catch (error) {
      this.notSaved(error);
    }
  }

  notSaved(error) {
    if (error instanceof Offline) return this.tellState('Not saved: the server does not answer');
    if (!(error instanceof Refused && error.status === 409)) return this.tellState(`Not saved: ${isSignedOut(error) ? sentenceOf(error) : error.message}`);
    const there = error.answer;
    const again = (pause) => (this.saving = setTimeout(() => this.save(), pause));
    // Another program is writing the file at this moment.
    if (there.version === this.saved.version) return again(AGAIN);
    if (!this.isOwn(there)) return showConflict(this, there);
    this.changed();
    again(0);
  }

  /** Returns whether the file contains a text sent from here whose answer was lost. If so, marks the text as saved. */
  isOwn(there) {
    const text = textOf(there);
    if (there.version === null || ![...this.sent, this.text].includes(text)) return false;
    Object.assign(this, { saved: { text, version: there.version }, sent: [] });
    return true;
  }

  /** Checks whether someone else has saved the file. */
  async lookAgain() {
    if (document.hidden || this.isSaving || this.panel.dataset.shows === 'conflict') return;
    const { version } = this.saved;
    const there = await ask('open', { path: this.path, version }).catch(() => null);
    // An answer that is older than the last save is about the version before it.
    if (!there || this.isSaving || this.saved.version !== version) return;
    const isOther = JSON.stringify(there.faults ?? []) !== JSON.stringify(this.faults);
    this.faults = there.faults ?? [];
    if (there.version === this.saved.version) return isOther ? this.tellFound() : undefined;
    if (this.isOwn(there)) {
      this.changed();
    } else if (this.isSaved && there.version !== null) {
      this.put(there);
      tell('The file was changed elsewhere: its new text is shown.');
    } else {
      showConflict(this, there);
    }
  }

  /** Shows the file from the disk. */
  put(there) {
    this.saved = { text: textOf(there), version: there.version };
    this.fill(there);
  }

  open(what, children) {
    this.panel.dataset.shows = what;
    this.panel.hidden = false;
    this.panel.replaceChildren(...children);
  }

  close() {
    this.panel.hidden = true;
    delete this.panel.dataset.shows;
  }

  toggleDifference() {
    if (this.panel.dataset.shows === 'difference' && !this.panel.hidden) {
      this.close();
    } else if (this.panel.dataset.shows !== 'conflict') {
      this.showDifference();
    }
  }

  showDifference() {
    const same = element('p', {}, 'No changes: the file contains this text.');
    this.open('difference', [
      element('h2', {}, 'Unsaved changes'),
      this.isSaved ? same : lines(this.saved.text, this.text),
    ]);
  }

  async remove() {
    const instead = this.kind === 'event' ? ' The event will disappear from the calendars of subscribers. To cancel it, choose the status “cancelled” instead.' : '';
    const sure = confirm(this.siteFile?.confirmation ?? `Move ${this.path} to the trash? You can restore it from .feedwright/trash/.${instead}`);
    if (!sure) return;
    try {
      await ask('remove', { path: this.path, version: this.saved.version });
    } catch (error) {
      if (error.status === 409 && !this.isOwn(error.answer)) return showConflict(this, error.answer);
      return this.tellState(`Not deleted: ${error.message}`);
    }
    forget(this.path);
    this.saved.text = this.text;
    location.hash = { 'site-file': '#/site-files', page: '#/pages', event: '#/calendar', calendar: '#/calendar' }[this.kind] ?? '#/items';
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      // The input of a field takes effect when the field loses focus.
      const field = document.activeElement;
      field?.blur();
      field?.focus();
      this.save();
    }
  }

  /** Leaves the view. Unsaved text stays in this browser. */
  async leave() {
    if (this.pending) await Promise.race([this.edits, new Promise((done) => setTimeout(done, AGAIN))]);
    if (this.pending && !confirm('A field is waiting for the server, and what you typed in it will be lost. Leave anyway?')) {
      history.replaceState(null, '', address(this.path));
      return false;
    }
    clearInterval(this.timer);
    clearTimeout(this.looking);
    removeEventListener('keydown', this.onKey);
    removeEventListener('back-online', this.onOnline);
    removeEventListener('beforeunload', this.onClose);
    if (this.isDraft) this.save();
    return true;
  }
}

function ignoreOffline(error) {
  if (!(error instanceof Offline)) throw error;
  return null;
}
