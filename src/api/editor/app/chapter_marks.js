// Marks of chapters on the waveform. A mark is moved by mouse, touch or keys.

import { clock, tenths } from './clock.js';
import { element } from './page.js';

// Movement in pixels up to which a press counts as a click.
const STILL = 3;

export class ChapterMarks {
  /** Puts marks on a waveform. `undoable(deed)` runs a change of the chapters that can be undone. */
  constructor(wave, undoable) {
    Object.assign(this, { wave, undoable, chapters: null, marks: [] });
    this.view = element('div', { class: 'marks', role: 'group', 'aria-label': 'Chapter marks' });
    wave.track.append(this.view);
    wave.view.addEventListener('measured', () => this.show());
  }

  /**
   * Shows the marks of chapters: `list()` returns them in their order, and `move(index, seconds)` and `remove(index)`
   * change them, unless they are fixed.
   */
  show(chapters = this.chapters) {
    const isOther = this.isFixed !== Boolean(chapters?.isFixed);
    this.isFixed = Boolean(chapters?.isFixed);
    this.chapters = chapters;
    this.list = chapters?.list() ?? [];
    if (isOther || this.list.length !== this.marks.length) {
      const focused = this.marks.indexOf(document.activeElement);
      this.marks = this.list.map((_, index) => (this.isFixed ? this.jump(index) : this.mark(index)));
      this.view.replaceChildren(...this.marks);
      if (focused >= 0) (this.marks[Math.min(focused, this.marks.length - 1)] ?? this.wave.head).focus();
    }
    if (!this.moved) this.list.forEach(({ start }, index) => this.place(index, start));
  }

  get isMovable() {
    return !this.isFixed && this.marks.length > 0;
  }

  /** Returns a mark that cannot be moved. */
  jump(index) {
    const mark = element('button', { type: 'button', class: 'mark' }, element('span', {}, `${index + 1}`));
    mark.addEventListener('click', (event) => {
      event.stopPropagation();
      this.wave.seek(this.list[index].start);
    });
    return mark;
  }

  mark(index) {
    const mark = element('div', { class: 'mark', role: 'slider', tabindex: '0' }, element('span', {}, `${index + 1}`));
    mark.addEventListener('click', (event) => event.stopPropagation());
    mark.addEventListener('pointerdown', (event) => this.grab(index, event));
    mark.addEventListener('keydown', (event) => this.key(index, event));
    mark.addEventListener('keyup', () => this.release());
    mark.addEventListener('blur', () => this.release());
    return mark;
  }

  /** Returns a time between the neighbours of a mark, so that the chapters keep their order. */
  within(index, seconds) {
    const [from, to] = [this.list[index - 1]?.start ?? 0, this.list[index + 1]?.start ?? this.wave.duration];
    return Math.min(to, Math.max(from, tenths(seconds)));
  }

  place(index, seconds) {
    const { duration } = this.wave;
    const mark = this.marks[index];
    const name = this.list[index].title || `Chapter ${index + 1}`;
    const part = duration ? Math.min(1, seconds / duration) : 0;
    mark.hidden = !duration;
    mark.style.left = `${100 * part}%`;
    mark.classList.toggle('is-late', part > 0.6);
    mark.classList.toggle('is-first', part < 0.02);
    mark.classList.toggle('is-last', part > 0.98);
    mark.dataset.time = `${clock(seconds)} ${name}`;
    mark.setAttribute('aria-label', this.isFixed ? `Play ${name}` : `Start of ${name}`);
    if (this.isFixed) return;
    const values = { min: this.list[index - 1]?.start ?? 0, max: this.list[index + 1]?.start ?? duration, now: seconds, text: clock(seconds) };
    for (const [key, value] of Object.entries(values)) mark.setAttribute(`aria-value${key}`, value);
  }

  grab(index, event) {
    if (event.button) return;
    event.preventDefault();
    const mark = this.marks[index];
    const grip = event.clientX - mark.getBoundingClientRect().left - mark.offsetWidth / 2;
    const from = event.clientX;
    const start = this.list[index].start;
    mark.focus({ preventScroll: true });
    mark.setPointerCapture(event.pointerId);
    const drag = (move) => {
      if (!this.moved && Math.abs(move.clientX - from) <= STILL) return;
      this.move(index, this.wave.timeAt(move.clientX - grip));
    };
    const end = (up) => {
      mark.removeEventListener('pointermove', drag);
      for (const name of ['pointerup', 'pointercancel']) mark.removeEventListener(name, end);
      if (!this.moved) this.wave.seek(start);
      else if (up.type === 'pointercancel') this.cancel();
      else this.release();
    };
    mark.addEventListener('pointermove', drag);
    for (const name of ['pointerup', 'pointercancel']) mark.addEventListener(name, end);
  }

  /** Moves a mark on the screen. The chapters change when it is released. */
  move(index, seconds) {
    this.moved = { index, seconds: this.within(index, seconds) };
    this.place(index, this.moved.seconds);
  }

  cancel() {
    this.moved = null;
    this.show();
  }

  release() {
    const { moved } = this;
    this.moved = null;
    if (!moved || !this.list[moved.index] || moved.seconds === this.list[moved.index].start) return;
    this.undoable(() => this.chapters.move(moved.index, moved.seconds));
  }

  key(index, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = this.moved?.seconds ?? this.list[index].start;
    const step = event.shiftKey ? 0.1 : 1;
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -10, PageUp: 10 }[event.key];
    if (by) {
      this.move(index, now + by);
      this.wave.reveal(this.moved.seconds);
    } else if (event.key === 'Escape' && this.moved) this.cancel();
    else if (event.key === 'Enter') this.wave.seek(now);
    else if (['Delete', 'Backspace'].includes(event.key)) this.undoable(() => this.chapters.remove(index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
