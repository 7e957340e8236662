// Files of chapters and transcripts next to their recording.

import { clock, secondsOf, tenths } from './clock.js';
import { CueList } from './cue_list.js';
import { kindOf, shown } from './media.js';
import { button, element } from './page.js';
import { Recording } from './recording.js';
import { ask } from './server.js';

/** Returns the recording that a text names, directly or in a table with details. */
export const soundOf = (values) => {
  const held = values?.attachment;
  return typeof held === 'object' && held !== null ? held.url : held;
};

/** Returns the recording of a text with its player, or null. */
export function recordingOf(path, values) {
  const reference = soundOf(values);
  const player = ['audio', 'video'].includes(kindOf(reference)) ? shown(path, reference) : null;
  return player && new Recording(player, path, reference);
}

/** Returns the text of a JSON string. One with an invalid escape is returned as it is written. */
function textOf(string) {
  try {
    return JSON.parse(string);
  } catch {
    return string.slice(1, -1);
  }
}

const isJson = (text) => /^\s*[{[]/.test(text);

/** Returns the chapters of a file, as JSON or as lines, with the positions of their times and of the whole chapters. */
export function chaptersIn(text) {
  if (isJson(text)) {
    const all = [...text.matchAll(/\{(?:[^{}]|\{[^{}]*\})*?"startTime"\s*:\s*"?([\d.:]+)(?:[^{}]|\{[^{}]*\})*\}/g)];
    return all.map((found) => {
      const title = /"title"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(found[0])?.[1];
      const time = /"startTime"\s*:\s*"?([\d.:]+)/.exec(found[0]);
      const at = found.index + time.index + time[0].length - time[1].length;
      return { start: secondsOf(time[1]), title: title ? textOf(title) : '', at, to: at + time[1].length, from: found.index, end: found.index + found[0].length };
    });
  }
  const lines = text.matchAll(/^([ \t[(]*)((?:\d+:)?\d{1,2}:\d{2}(?:[.,]\d+)?)[\])]?[ \t]*[-–—|]?[ \t]*(.*)$/gm);
  return [...lines].map(({ 0: whole, 1: before, 2: time, 3: title, index }) => ({ start: secondsOf(time), title, at: index + before.length, to: index + before.length + time.length, from: index, end: index + whole.length }));
}

/** The chapters of a text area, for the marks of a recording, and the list of them. */
class ChapterList {
  constructor(area) {
    this.area = area;
    this.view = element('ol', { class: 'moments', 'aria-label': 'Chapters' });
  }

  fill(recording) {
    this.chapters = chaptersIn(this.area.value).filter(({ start }) => start !== null);
    const rows = this.chapters.map(({ start, title, from, end }) => {
      const play = () => {
        this.area.setSelectionRange(from, end);
        this.area.focus();
        recording?.play(start);
      };
      const row = button(element('b', {}, clock(start)), play, 'moment');
      row.append(` ${title}`);
      return element('li', { dir: 'auto' }, row);
    });
    this.view.replaceChildren(...rows);
    recording?.show(this);
  }

  list() {
    return this.chapters;
  }

  put(text) {
    this.area.value = text;
    this.area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  replace(from, to, part) {
    const { value } = this.area;
    this.put(value.slice(0, from) + part + value.slice(to));
  }

  move(index, seconds) {
    const { at, to } = this.chapters[index];
    this.replace(at, to, isJson(this.area.value) && !/:/.test(this.area.value.slice(at, to)) ? String(seconds) : clock(seconds));
  }

  /** Removes a chapter with its line, or with the comma after or before it. */
  remove(index) {
    const { value } = this.area;
    const { from, end } = this.chapters[index];
    if (!isJson(value)) return this.replace(from, Math.min(value.length, end + 1), '');
    const after = /^\s*,\s*/.exec(value.slice(end))?.[0].length ?? 0;
    const before = after ? 0 : (/,\s*$/.exec(value.slice(0, from))?.[0].length ?? 0);
    this.replace(from - before, end + after, '');
  }

  /** Adds a chapter without a title, and puts the caret where the title belongs. */
  add(seconds) {
    const { value } = this.area;
    const rounded = tenths(seconds);
    const next = this.chapters.find(({ start }) => start > rounded);
    const last = this.chapters.at(-1);
    let [at, before, after] = [next?.from ?? last?.end ?? value.length, next || (!last && !value.trim()) ? '' : '\n', next ? '\n' : ''];
    let part = `${clock(rounded)} `;
    let caret = part.length;
    if (isJson(value)) {
      part = `{"startTime": ${rounded}, "title": ""}`;
      caret = part.length - 2;
      const indent = /[ \t]*$/.exec(value.slice(0, (next ?? last)?.from ?? 0))[0];
      if (last) [before, after] = next ? ['', `,\n${indent}`] : [`,\n${indent}`, ''];
      else [at, before, after] = [value.indexOf('[') + 1, '', ''];
    } else if (!last && value.trim() && value.endsWith('\n')) before = '';
    this.replace(at, at, before + part + after);
    this.area.focus();
    this.area.setSelectionRange(at + before.length + caret, at + before.length + caret);
  }

  keep() {
    const { value } = this.area;
    return () => this.put(value);
  }

  state() {
    return this.area.value;
  }

  /** Marks the chapter that is playing. */
  current(now, isPlaying) {
    const at = this.chapters.findLastIndex(({ start }) => start <= now + 0.05);
    [...this.view.children].forEach((row, index) => {
      if (index === at) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
    if (isPlaying) this.view.children[at]?.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * Shows a file of chapters or a transcript with its recording: the one of the text that opened it, or of the index file
 * in the same folder.
 */
export async function listen(file, given) {
  const folder = file.path.split('/').slice(0, -1).join('/');
  const from = given || file.site.files.find(({ path }) => /^index\.(md|html)$/.test(path.replace(`${folder}/`, '')))?.path;
  const text = from ? await ask('open', { path: from }).catch(() => null) : null;
  const recording = recordingOf(from, text?.values);
  const { title } = text?.values ?? {};
  if (title) file.heading = `${file.kind === 'chapters' ? 'Chapters' : 'Transcript'} of “${title}”`;
  file.main.querySelector('h1').textContent = file.name;
  const none = element('p', { class: 'soft' }, 'There is no recording to play: the item that uses this file has none.');
  file.view.replaceWith(recording?.view ?? none);
  const write = file.main.querySelector('.write');
  write.parentElement.classList.add('sounding');
  if (file.kind === 'chapters') showChapters(file, recording);
  else showCues(file, recording, write);
}

function showChapters({ area }, recording) {
  const list = new ChapterList(area);
  const both = element('div', { class: 'with-moments' });
  area.replaceWith(both);
  both.append(list.view, area);
  area.addEventListener('input', ({ isTrusted }) => isTrusted && recording?.forget());
  for (const name of ['input', 'filled']) area.addEventListener(name, () => list.fill(recording));
  for (const part of [area, list.view]) part.addEventListener('keydown', (event) => recording?.key(event));
  list.fill(recording);
}

function showCues(file, recording, write) {
  const cues = new CueList(file.area, file.path, recording);
  write.append(cues.view);
  if (recording) {
    recording.hereButton.textContent = 'Add line here';
    recording.show(cues.chapters);
    file.area.addEventListener('keydown', (event) => recording.key(event));
  }
  const toggle = button('Edit the file', () => {
    const isRaw = !write.classList.toggle('is-cues');
    toggle.textContent = isRaw ? 'Back to the lines' : 'Edit the file';
    if (isRaw) file.area.focus();
  });
  write.classList.add('is-cues');
  file.saveButton.after(toggle);
}
