// Cues of WebVTT and SRT: finds them in a text, and changes a cue without touching other lines.

import { clock, secondsOf } from './clock.js';

const TIMING = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})(\s+-->\s+)((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;

// The name of a speaker before what is said.
const VOICE = /^<v(?:\.[^\s>]*)?\s+([^>]*)>/;
const NAME = /^(\p{L}[^:<>\n]{0,39}):\s+/u;

const ENTITIES = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };
const decoded = (text) => text.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => ENTITIES[name]);
const encoded = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const isSrt = (path) => /\.srt$/i.test(path);

/**
 * Returns the cues of a text: their times in seconds, the speaker and the words, and the positions of the whole cue
 * (`from`), of the line with the times (`at`), of its end (`said`) and of the end of the cue (`end`).
 */
export function cuesOf(text, path) {
  const cues = [];
  let [cue, above, isAlone] = [null, null, true];
  for (const { 0: line, index: at } of text.matchAll(/^.*$/gm)) {
    const timing = TIMING.exec(line);
    const [end, isEmpty] = [at + line.length, !line.trim()];
    if (timing) cues.push((cue = { start: secondsOf(timing[1]), stop: secondsOf(timing[3]), from: above ?? at, at, said: end, end }));
    else if (isEmpty) cue = null;
    else if (cue) cue.end = end;
    // A single line above the times is the number or the name of the cue.
    above = !timing && !isEmpty && !cue && isAlone && !/^\uFEFF?WEBVTT/.test(line) ? at : null;
    isAlone = isEmpty;
  }
  return cues.filter(({ start, stop }) => start !== null && stop !== null).map((own) => ({ ...own, ...spoken(text.slice(own.said + 1, own.end), path) }));
}

/** Returns the speaker and the words of a cue. If the words have other tags, they are shown with them. */
function spoken(payload, path) {
  const voice = (isSrt(path) ? NAME : VOICE).exec(payload);
  const head = voice?.[0] ?? '';
  const tail = head && payload.endsWith('</v>') ? '</v>' : '';
  const words = payload.slice(head.length, payload.length - tail.length);
  const isRaw = isSrt(path) || /</.test(words);
  return { speaker: voice?.[1].trim() ?? '', head, tail, isRaw, words: isRaw ? words : decoded(words) };
}

/** Returns words as the lines of a cue, which cannot be empty. */
const written = ({ isRaw, head, tail }, words) => {
  const lines = words.split('\n').map((line) => line.trim()).filter(Boolean).join('\n');
  const safe = isRaw ? lines.replaceAll('-->', '->') : encoded(lines);
  return safe || head ? `\n${head}${safe}${tail}` : '';
};

const put = (text, from, to, part) => text.slice(0, from) + part + text.slice(to);

const time = (seconds, path) => (isSrt(path) ? clock(seconds, true).replace('.', ',') : clock(seconds, true));

/** Each function returns the whole text with a change. */
export const withWords = (text, cue, words) => put(text, cue.said, cue.end, written(cue, words));

export function withSpeaker(text, path, cue, name) {
  const plain = name.replace(/[<>:&\n]/g, ' ').trim();
  const head = !plain ? '' : isSrt(path) ? `${plain}: ` : `<v ${plain}>`;
  return withWords(text, { ...cue, head, tail: head ? cue.tail : '' }, cue.words);
}

export function withTimes(text, path, cue, start, stop) {
  const line = text.slice(cue.at, cue.said);
  return put(text, cue.at, cue.said, line.replace(TIMING, (_, from, arrow, to) => `${start === cue.start ? from : time(start, path)}${arrow}${stop === cue.stop ? to : time(stop, path)}`));
}

/** Splits a cue before a place in its words. The second part starts at `at`. */
export function split(text, path, cue, place, at) {
  const settings = text.slice(cue.at, cue.said).replace(TIMING, '');
  const timing = (start, stop) => `${time(start, path)} --> ${time(stop, path)}${settings}`;
  const parts = [timing(cue.start, at), written(cue, cue.words.slice(0, place)), '\n\n', timing(at, cue.stop), written(cue, cue.words.slice(place))];
  return numbered(put(text, cue.at, cue.end, parts.join('')), path);
}

/** Joins a cue with the next one. The words of another speaker keep their name. */
export function merge(text, path, cue, next) {
  const isSame = cue.head === next.head || !next.head;
  const words = isSame && cue.isRaw === next.isRaw ? written(cue, `${cue.words} ${next.words}`) : text.slice(cue.said, cue.end) + text.slice(next.said, next.end);
  const whole = put(text, cue.said, next.end, words);
  return numbered(withTimes(whole, path, cue, cue.start, Math.max(cue.stop, next.stop)), path);
}

export function without(text, path, cue) {
  const [before, after] = [text.slice(0, cue.from).trimEnd(), text.slice(cue.end).replace(/^\n+/, '')];
  return numbered([before, after].filter(Boolean).join('\n\n') + (after ? '' : '\n'), path);
}

/** Adds an empty cue at a time. It ends where the next one starts, after three seconds at most. */
export function withCue(text, path, cues, seconds) {
  const next = cues.find(({ start }) => start > seconds);
  const timing = `${time(seconds, path)} --> ${time(Math.min(seconds + 3, next?.start ?? Infinity), path)}\n`;
  if (next) return numbered(put(text, next.from, next.from, `${timing}\n`), path);
  const before = text.trimEnd() || (isSrt(path) ? '' : 'WEBVTT');
  return numbered(`${before}${before && '\n\n'}${timing}`, path);
}

/** Numbers the cues of SRT, which require it. */
function numbered(text, path) {
  if (!isSrt(path)) return text;
  const cues = cuesOf(text, path);
  return cues.reduceRight((whole, cue, index) => put(whole, cue.from, cue.at, `${index + 1}\n`), text);
}
