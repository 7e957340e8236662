// The chapters in the front matter, or in a file that it names, for the marks of a recording.

import { tenths } from './clock.js';
import { chaptersIn } from './sound.js';

/** Returns the name of the file with the chapters, if they are in a file. */
const fileOf = (entry) => {
  const name = entry?.startTime === undefined ? (entry?.url ?? entry) : null;
  return typeof name === 'string' ? name : null;
};

/**
 * Returns the chapters of a list of rows. `held()` are its entries, `set(entries)` replaces them, and `begin(entry)` adds
 * one. Chapters in a file are fixed here.
 */
export function chaptersOf(media, list, { held, set, begin }) {
  const file = () => fileOf(held()[0]);
  let [read, inFile] = [null, []];
  const load = async () => {
    read = file();
    inFile = chaptersIn(await media.textOf(read));
    media.recording()?.show(chapters);
  };
  const chapters = {
    get isFixed() {
      return file() !== null;
    },
    list: () => {
      if (!file()) return held().map(({ startTime, title }) => ({ start: Number(startTime) || 0, title }));
      if (read !== file()) load();
      return inFile;
    },
    move: (index, startTime) => set(held().map((entry, at) => (at === index ? { ...entry, startTime } : entry))),
    remove: (index) => set(held().filter((_, at) => at !== index)),
    add: (seconds) => begin({ startTime: tenths(seconds) }),
    set,
    keep: () => {
      const before = held();
      return () => set(before);
    },
    // The server orders the keys of a chapter.
    state: () => JSON.stringify(held().map((entry) => Object.entries(entry).sort())),
    current: (now) => {
      const at = held().findLastIndex(({ startTime }) => startTime <= now + 0.05);
      [...list.children].forEach((row, index) => row.classList.toggle('is-playing', index === at));
    },
  };
  return chapters;
}
