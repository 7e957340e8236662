// What is not saved yet stays in this browser, whatever happens to the page, the server or the machine. Each window keeps its
// own text of a file, so that none writes over that of another.

const START = 'feedwright-unsaved:';
const WINDOW = `//${Math.random().toString(36).slice(2)}`;

const keyOf = (path) => START + path + WINDOW;

/** Whether this window keeps it. */
export const isOwn = (key) => key.endsWith(WINDOW);

/** Keeps a text of a file over a version of it. Whether it is kept: a browser may have no room, or keep nothing. */
export function keep(path, text, version, key = keyOf(path), time = Date.now()) {
  try {
    localStorage.setItem(key, JSON.stringify({ text, version, time }));
    return true;
  } catch {
    return false;
  }
}

/** Forgets what this window kept of a file, or what is named. */
export function forget(path, key = keyOf(path)) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then nothing was kept.
  }
}

/** The texts of a file that are kept, the newest first. */
export function keptOf(path) {
  return all().filter((one) => one.path === path).sort((a, b) => b.time - a.time);
}

/** The files of which something is kept. */
export const keptPaths = () => [...new Set(all().map(({ path }) => path))];

function all() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(START));
    return keys.flatMap((key) => {
      const held = JSON.parse(localStorage.getItem(key));
      return held ? [{ ...held, key, path: key.slice(START.length).split('//')[0] }] : [];
    });
  } catch {
    return [];
  }
}
