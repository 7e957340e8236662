// The cues of a transcript as a list: each is played by a click, and edited in place.

import { clock, secondsOf } from './clock.js';
import { cuesOf, merge, split, withCue, without, withSpeaker, withTimes, withWords } from './cues.js';
import { button, element, tell } from './page.js';

export class CueList {
  constructor(area, path, recording) {
    Object.assign(this, { area, path, recording, rows: [] });
    this.view = element('ol', { class: 'cues', 'aria-label': 'Lines of the transcript' });
    this.makeTools();
    for (const name of ['input', 'filled']) area.addEventListener(name, () => this.isOwn || this.fill());
    this.view.addEventListener('focusin', (event) => this.choose(this.rows.findIndex((row) => row.contains(event.target))));
    this.fill();
  }

  makeTools() {
    const time = (name, change) => {
      const input = element('input', { autocomplete: 'off', size: '9' });
      input.addEventListener('change', () => {
        const seconds = secondsOf(input.value);
        if (seconds === null) tell('Write a time such as 1:30 or 1:02:03.5.');
        else this.change((text, cue) => change(text, cue, seconds));
        this.choose(this.chosen);
      });
      return [element('label', {}, name, input), input];
    };
    const [startLabel, start] = time('Start', (text, cue, seconds) => withTimes(text, this.path, cue, seconds, Math.max(cue.stop, seconds)));
    const [stopLabel, stop] = time('End', (text, cue, seconds) => withTimes(text, this.path, cue, cue.start, Math.max(cue.start, seconds)));
    const speaker = element('input', { autocomplete: 'off', dir: 'auto', size: '12' });
    speaker.addEventListener('change', () => this.change((text, cue) => withSpeaker(text, this.path, cue, speaker.value)));
    Object.assign(this, { start, stop, speaker });
    this.mergeButton = button('Merge with next', () => this.change((text, cue) => merge(text, this.path, cue, this.cues[this.chosen + 1])), 'quiet small');
    const small = (name, action) => button(name, action, 'quiet small');
    this.tools = element('div', { class: 'tools' }, startLabel, stopLabel, element('label', {}, 'Speaker', speaker), small('Split at the cursor', () => this.split()), this.mergeButton, small('Delete line', () => this.change((text, cue) => without(text, this.path, cue))));
  }

  /** Shows the cues of the text. Keeps the rows if their number is the same. */
  fill() {
    const last = this.cues;
    this.cues = cuesOf(this.area.value, this.path);
    const isNew = this.cues.length !== this.rows.length;
    if (isNew) {
      this.chosen = undefined;
      this.rows = this.cues.map((_, index) => this.row(index));
      const empty = element('li', { class: 'soft' }, 'There are no lines yet. Play the recording, and press “Add line here”.');
      this.view.replaceChildren(...(this.rows.length ? this.rows : [empty]));
    }
    const isShown = (cue, index) => !isNew && ['start', 'speaker', 'words'].every((key) => cue[key] === last[index][key]);
    this.cues.forEach((cue, index) => isShown(cue, index) || this.show(index, cue));
  }

  row(index) {
    const play = button('', () => this.recording?.play(this.cues[index].start), 'quiet small');
    const words = element('textarea', { rows: '1', dir: 'auto', spellcheck: 'true' });
    words.addEventListener('focus', () => (this.isTyped = false));
    words.addEventListener('input', () => {
      // All that is typed until the field is left is undone at once.
      if (!this.isTyped) this.recording?.remember();
      this.isTyped = true;
      this.put(withWords(this.area.value, this.cues[index], words.value));
      this.recording?.settle();
    });
    words.addEventListener('keydown', (event) => this.key(index, event));
    return element('li', {}, play, element('div', { class: 'said' }, element('b', { dir: 'auto' }), words));
  }

  show(index, cue) {
    const { start, speaker, words } = cue;
    const [play, said] = this.rows[index].children;
    const [name, area] = said.children;
    const at = clock(Math.floor(start));
    if (play.textContent !== at) play.textContent = at;
    play.setAttribute('aria-label', `Play from ${at}`);
    if (name.textContent !== speaker) name.textContent = speaker;
    area.setAttribute('aria-label', `What ${speaker || 'is said'}${speaker ? ' says' : ''} at ${at}`);
    // The words of the field with the focus may end with a space that the file does not have.
    const isTyped = area === document.activeElement && withWords(this.area.value, cue, area.value) === this.area.value;
    if (!isTyped) area.value = words;
    area.rows = Math.max(1, Math.ceil(words.length / 60));
  }

  /** Shows the tools of a cue below its words. */
  choose(index) {
    const cue = this.cues[index];
    if (!cue) return;
    if (this.chosen !== index) this.rows[index].append(this.tools);
    this.chosen = index;
    [this.start.value, this.stop.value, this.speaker.value] = [clock(cue.start), clock(cue.stop), cue.speaker];
    this.mergeButton.hidden = index === this.cues.length - 1;
  }

  /** Replaces the text. The words of a row stay as they are typed. */
  put(text) {
    this.isOwn = true;
    this.area.value = text;
    this.area.dispatchEvent(new Event('input', { bubbles: true }));
    this.fill();
    this.isOwn = false;
  }

  /** Changes the chosen cue, so that the recording's button can undo it. */
  change(deed, focused = this.chosen) {
    const text = deed(this.area.value, this.cues[this.chosen]);
    if (text === this.area.value) return;
    const isSame = document.activeElement.matches('.cues input');
    if (this.recording) this.recording.undoable(() => this.put(text));
    else this.put(text);
    if (!isSame) this.focus(Math.min(focused, this.rows.length - 1));
  }

  focus(index, place) {
    const words = this.rows[index]?.querySelector('textarea');
    words?.focus();
    if (place !== undefined) words?.setSelectionRange(place, place);
  }

  /** Splits the chosen cue at the caret: at the play head if it is in the cue, otherwise by the length of the words. */
  split() {
    const words = this.rows[this.chosen].querySelector('textarea');
    const [place, cue] = [words.selectionStart, this.cues[this.chosen]];
    if (!words.value.slice(0, place).trim() || !words.value.slice(place).trim()) return tell('Put the cursor between two words first.');
    const now = this.recording?.player?.currentTime ?? 0;
    const at = now > cue.start + 0.1 && now < cue.stop - 0.1 ? now : cue.start + ((cue.stop - cue.start) * place) / words.value.length;
    this.change((text) => split(text, this.path, cue, place, at), this.chosen + 1);
    this.focus(this.chosen, 0);
  }

  key(index, event) {
    const { target } = event;
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      this.split();
    }
    this.recording?.key(event);
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = event.key === 'ArrowDown' && target.selectionStart === target.value.length ? index + 1 : event.key === 'ArrowUp' && target.selectionEnd === 0 ? index - 1 : -1;
    if (!this.rows[to]) return;
    event.preventDefault();
    this.focus(to, to > index ? 0 : this.cues[to].words.length);
  }

  /** Returns what a recording needs to know: it adds lines, undoes changes and tells the time. */
  get chapters() {
    return {
      deed: 'split line, or add one',
      list: () => [],
      keep: () => {
        const text = this.area.value;
        return () => this.put(text);
      },
      state: () => this.area.value,
      add: (seconds) => {
        this.put(withCue(this.area.value, this.path, this.cues, seconds));
        this.focus(this.cues.findIndex(({ start }) => Math.abs(start - seconds) < 0.001));
      },
      current: (now, isPlaying) => this.mark(now, isPlaying),
    };
  }

  /** Marks the cue that is playing. */
  mark(now, isPlaying) {
    const at = this.cues.findLastIndex(({ start, stop }) => start <= now + 0.05 && now < stop + 0.5);
    if (at === this.marked && this.rows[at]?.ariaCurrent) return;
    for (const row of this.view.querySelectorAll('[aria-current]')) row.removeAttribute('aria-current');
    this.marked = at;
    this.rows[at]?.setAttribute('aria-current', 'true');
    const isEditing = this.view.contains(document.activeElement) && document.activeElement.matches('textarea, input');
    if (isPlaying && !isEditing) this.rows[at]?.scrollIntoView({ block: 'nearest' });
  }
}
