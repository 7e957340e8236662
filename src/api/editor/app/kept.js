// Unsaved texts, stored in this browser so that they survive if the page, the server or the machine fails. Each window
// stores its own text of a file, so that no window overwrites the text of another.

const START = 'feedwright-unsaved:';
const WINDOW = `//${Math.random().toString(36).slice(2)}`;

const keyOf = (path) => START + path + WINDOW;

/** Returns whether a text belongs to this window. */
export const isOwn = (key) => key.endsWith(WINDOW);

/**
 * Stores an unsaved text with the version of the file that it is based on. Returns whether the browser could store it.
 */
export function keep(path, text, version, key = keyOf(path), time = Date.now()) {
  try {
    localStorage.setItem(key, JSON.stringify({ text, version, time }));
    return true;
  } catch {
    return false;
  }
}

/** Deletes the stored text of this window for a file, or the text with the given key. */
export function forget(path, key = keyOf(path)) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** Returns the stored texts of a file, newest first. */
export function keptOf(path) {
  return all().filter((one) => one.path === path).sort((a, b) => b.time - a.time);
}

/** Returns the files that have stored texts. */
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
