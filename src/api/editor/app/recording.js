// A recording with its waveform, the marks of its chapters, and the buttons and keys that play it.

import { ChapterMarks } from './chapter_marks.js';
import { clock } from './clock.js';
import { button, element, tell } from './page.js';
import { ask, Offline } from './server.js';
import { Waveform } from './waveform.js';

export class Recording {
  /** Shows the recording that a document at `path` names `of`. */
  constructor(player, path, of) {
    Object.assign(this, { player, of, undos: [], inFile: [] });
    player.toggleAttribute('controls', player.localName === 'video');
    this.wave = new Waveform(player);
    this.marks = new ChapterMarks(this.wave, (deed) => this.undoable(deed));
    this.playButton = button('Play', () => this.toggle(), 'quiet play');
    this.hereButton = button('Add chapter here', () => this.addHere());
    this.undoButton = button('Undo', () => this.undo());
    this.ownButton = button('Edit the chapters of the file', () => this.undoable(() => this.chapters.set(this.inFile)));
    this.undoButton.hidden = this.ownButton.hidden = true;
    this.time = element('span', { class: 'time soft' });
    this.state = element('p', { class: 'soft', role: 'status' }, 'The waveform is being drawn …');
    this.wave.view.append(this.state);
    this.files = element('span', { class: 'tools' });
    this.links = element('div', { class: 'tools' }, this.files, this.ownButton);
    const zoom = element('label', { class: 'zoom soft' }, 'Zoom', this.wave.zoom);
    this.hint = element('p', { class: 'help hint' });
    this.view = element(
      'section',
      { class: 'recording', 'aria-label': 'Player' },
      player,
      this.wave.view,
      element('div', { class: 'tools' }, this.playButton, button('Back 5 s', () => this.back()), this.hereButton, this.undoButton, this.time, zoom),
      this.hint,
      this.links,
    );
    this.view.addEventListener('keydown', (event) => this.key(event));
    for (const name of ['timeupdate', 'seeking', 'loadedmetadata']) player.addEventListener(name, () => this.tick());
    for (const name of ['play', 'pause']) player.addEventListener(name, () => (this.playButton.textContent = player.paused ? 'Play' : 'Pause'));
    this.wave.view.addEventListener('measured', () => this.tick());
    this.load(path);
  }

  async load(path) {
    const found = await ask('recording', { path, of: this.of }).catch((error) => {
      if (error instanceof Offline) addEventListener('back-online', () => this.view.isConnected && this.load(path), { once: true });
      return { problem: error.message };
    });
    this.state.textContent = found.problem ? `There is no waveform: ${found.problem}.` : '';
    this.inFile = found.chapters ?? [];
    this.wave.show(found);
    this.show(this.chapters);
  }

  /** Shows chapters: those of a list, those of a file with chapters, or those that the recording contains. */
  show(chapters) {
    this.chapters = chapters;
    const isInFile = Boolean(chapters?.set) && !chapters.isFixed && !chapters.list().length && this.inFile.length > 0;
    this.ownButton.hidden = !isInFile;
    this.hereButton.hidden = !chapters?.add || Boolean(chapters.isFixed);
    const inFile = { isFixed: true, list: () => this.inFile.map(({ startTime, title }) => ({ start: startTime, title })) };
    this.marks.show(isInFile ? inFile : chapters);
    this.showKeys(chapters?.deed ?? 'add chapter', this.marks.isMovable);
    this.tick();
  }

  /** Shows the keys. `deed` is what Ctrl+Enter does. */
  showKeys(deed, hasMarks) {
    const keys = { 'Ctrl Space': 'play or pause', 'Ctrl ,': 'back 5 seconds', 'Ctrl Enter': deed, ...(hasMarks && { '← →': 'move a mark', 'Shift ← →': 'by a tenth', Delete: 'remove it' }) };
    this.hint.replaceChildren(...Object.entries(keys).map(([key, name]) => element('span', {}, element('kbd', {}, key), ` ${name}`)));
  }

  /** Shows links to the files that belong to the recording: names and addresses. */
  link(files) {
    if (this.linked === files.join()) return;
    this.linked = files.join();
    this.files.replaceChildren(...files.map(([name, href]) => element('a', { href, class: 'action' }, name)));
    this.files.hidden = !files.length;
  }

  play(seconds) {
    this.wave.seek(seconds);
    this.wave.reveal(seconds);
    this.player.play().catch(() => {});
  }

  toggle() {
    if (this.player.paused) this.player.play().catch(() => tell('This browser cannot play the recording.'));
    else this.player.pause();
  }

  back() {
    this.wave.seek(this.player.currentTime - 5);
  }

  addHere() {
    if (this.hereButton.hidden) return;
    this.undoable(() => {
      // A list in the document replaces the chapters of the file.
      if (!this.ownButton.hidden) this.chapters.set(this.inFile);
      this.chapters.add(this.player.currentTime);
    });
  }

  /** Handles a key in the recording, or in an element that belongs to it. */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    const deed = { ' ': () => this.toggle(), ',': () => this.back(), Enter: () => this.addHere(), z: this.view.contains(event.target) && (() => this.undo()) }[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  }

  tick() {
    const now = this.player.currentTime;
    this.time.textContent = `${clock(Math.floor(now))} / ${clock(Math.floor(this.wave.duration))}`;
    this.chapters?.current?.(now, !this.player.paused);
  }

  /** Runs a change that can be undone. */
  undoable(deed) {
    this.remember();
    this.isOwn = true;
    deed();
    this.isOwn = false;
    this.settle();
  }

  /** Remembers the present state, so that the next change can be undone. */
  remember() {
    this.undos.push({ restore: this.chapters.keep() });
    this.undoButton.hidden = false;
  }

  /** Remembers the state after a change. It is undone only from this state, so that no later change is lost. */
  settle() {
    const last = this.undos.at(-1);
    if (last) last.after = this.chapters.state();
  }

  /** Forgets earlier states after a change that was made elsewhere, because undoing would lose it. */
  forget() {
    if (this.isOwn) return;
    this.undos = [];
    this.undoButton.hidden = true;
  }

  undo() {
    const last = this.undos.pop();
    if (last && last.after !== this.chapters.state()) {
      this.undos = [];
      tell('The text was changed since, so this cannot be undone.');
    } else if (last) {
      this.isOwn = true;
      last.restore();
      this.isOwn = false;
    }
    this.undoButton.hidden = !this.undos.length;
    if (this.undoButton.hidden && document.activeElement === document.body) this.playButton.focus();
  }
}
