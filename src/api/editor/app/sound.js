// Chapters and transcripts next to the player of their recording.

import { element } from './page.js';
import { type } from './writing.js';

/** Formats seconds as 1:02:03.5, or with all digits, as WebVTT and SRT require. */
function clock(seconds, isWhole = false) {
  const milliseconds = Math.max(0, Math.round(seconds * 1000));
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(milliseconds / 3600000), Math.floor(milliseconds / 60000) % 60, milliseconds % 60000];
  const [whole, part] = [two(Math.floor(rest / 1000)), String(rest % 1000).padStart(3, '0')];
  if (isWhole) return `${two(hours)}:${two(minutes)}:${whole}.${part}`;
  const fraction = part === '000' ? '' : `.${part.replace(/0+$/, '')}`;
  return hours ? `${hours}:${two(minutes)}:${whole}${fraction}` : `${minutes}:${whole}${fraction}`;
}

/** Returns the seconds of a time such as 1:02:03.5, or null if the text is not a time. */
function secondsOf(text) {
  const parts = String(text).trim().replace(',', '.').split(':').map(Number);
  if (!parts.length || parts.length > 3 || parts.some((part) => !Number.isFinite(part) || part < 0)) return null;
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

const TIMING = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;

/**
 * Returns the chapters or cues of a text with their positions in it. Reads WebVTT, SRT, and chapters as lines or as
 * JSON.
 */
function momentsOf(text, kind) {
  const moments = [];
  if (kind === 'chapters' && /^\s*[{[]/.test(text)) {
    for (const found of text.matchAll(/"startTime"\s*:\s*"?([\d.:]+)"?/g)) {
      const end = text.indexOf('}', found.index);
      const title = /"title"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text.slice(found.index, end < 0 ? undefined : end));
      moments.push({ start: secondsOf(found[1]), at: found.index, end: found.index + found[0].length, words: title?.[1] ?? '' });
    }
    return moments;
  }
  let cue = null;
  for (const found of text.matchAll(/^(.*)$/gm)) {
    const [words, at] = [found[1].replace(/\r$/, ''), found.index];
    const chapter = kind === 'chapters' && /^\s*((?:\d+:)?\d{1,2}:\d{2}(?:\.\d+)?)\s+[-|]?\s*(.*)$/.exec(words);
    const timing = kind === 'transcript' && TIMING.exec(words);
    if (chapter) moments.push({ start: secondsOf(chapter[1]), at, end: at + words.length, words: chapter[2] });
    else if (timing) moments.push((cue = { start: secondsOf(timing[1]), stop: secondsOf(timing[2]), at: at + words.length + 1, end: at + words.length + 1, words: '' }));
    else if (!words.trim()) cue = null;
    else if (cue) Object.assign(cue, { end: at + words.length, words: `${cue.words} ${words.replace(/<[^>]*>/g, '')}`.trim() });
  }
  return moments;
}

/** Returns the text of a new chapter or cue. */
function written(kind, path, seconds, text) {
  if (kind === 'chapters') {
    if (/^\s*[{[]/.test(text)) return `{"startTime": ${Math.round(seconds * 1000) / 1000}, "title": ""}`;
    return `${clock(seconds)} `;
  }
  const times = [seconds, seconds + 3].map((time) => clock(time, true)).join(' --> ');
  return `\n\n${path.endsWith('.srt') ? times.replaceAll('.', ',') : times}\n`;
}

/**
 * Returns the player and the list of chapters or cues. A click on an entry plays it and selects its words in the text.
 * The list marks the entry that is playing.
 */
export function soundBeside(area, path, kind, player) {
  const list = element('ol', { class: 'moments', 'aria-label': kind === 'chapters' ? 'Chapters' : 'Transcript lines' });
  const here = element('button', { type: 'button', class: 'quiet' }, kind === 'chapters' ? 'Add chapter here' : 'Add line here');
  const back = element('button', { type: 'button', class: 'quiet' }, 'Back 5 seconds');
  const help = element('p', { class: 'help' }, 'In the text, press Ctrl+Space to play or pause, and Ctrl+, to go back 5 seconds.');
  let moments = [];
  const rewind = () => (player.currentTime = Math.max(0, player.currentTime - 5));
  const toggle = () => (player.paused ? player.play().catch(() => {}) : player.pause());
  const fill = () => {
    moments = momentsOf(area.value, kind).filter(({ start }) => start !== null);
    const rows = moments.map((moment) => {
      const button = element('button', { type: 'button', class: 'moment' }, element('b', {}, clock(Math.floor(moment.start))), ` ${moment.words}`);
      button.addEventListener('click', () => {
        area.setSelectionRange(moment.at, moment.end);
        area.focus();
        if (!player) return;
        player.currentTime = moment.start;
        player.play().catch(() => {});
      });
      return element('li', { dir: 'auto' }, button);
    });
    list.replaceChildren(...rows);
    mark();
  };
  const mark = () => {
    if (!player) return;
    const now = player.currentTime + 0.05;
    const at = moments.findLastIndex(({ start, stop }) => start <= now && (stop === undefined || now < stop + 0.5));
    [...list.children].forEach((row, index) => {
      if (index === at) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
    if (!player.paused) list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  area.addEventListener('input', fill);
  fill();
  if (!player) {
    return element('div', { class: 'beside' }, element('p', { class: 'soft' }, 'There is no recording to play: the item that uses this file has none.'), list);
  }
  player.addEventListener('timeupdate', mark);
  back.addEventListener('click', rewind);
  here.addEventListener('click', () => type(area, written(kind, path, player.currentTime, area.value)));
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || ![' ', ','].includes(event.key)) return;
    event.preventDefault();
    if (event.key === ' ') toggle();
    else rewind();
  });
  return element('div', { class: 'beside' }, player, element('div', { class: 'tools' }, here, back), help, list);
}

/** Returns a player above the rows of a chapter list. It plays a chapter, and adds one at the current time. */
export function soundAbove(player, { add, rows }) {
  const here = element('button', { type: 'button', class: 'quiet' }, 'Add chapter here');
  here.addEventListener('click', () => add({ startTime: Math.round(player.currentTime * 10) / 10 }));
  const play = (start) => {
    player.currentTime = start;
    player.play().catch(() => {});
  };
  rows.play = play;
  return element('div', { class: 'beside' }, player, element('div', { class: 'tools' }, here));
}
