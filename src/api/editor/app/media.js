// Media: uploads files in pieces and resumes interrupted uploads, and shows or plays the media of a text.

import { ask, backOnline, isSignedOut, send, sentenceOf, Offline } from './server.js';
import { button, element } from './page.js';

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Uploads a file for a text, and returns the reference for the text. Calls `tell(bytes)` with the number of bytes
 * received, and `halt(words)` while the server does not answer or nobody is signed in. Uploading the same file again
 * resumes where it stopped.
 */
export async function upload(path, file, { tell = () => {}, halt = () => {}, signal } = {}) {
  const sent = { path, name: file.name, size: file.size, modified: file.lastModified };
  const patiently = async (deed) => {
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await deed();
      } catch (error) {
        if (isSignedOut(error)) {
          halt(sentenceOf(error));
          await backOnline(signal);
        } else if (error instanceof Offline) {
          halt('The server does not answer. The upload continues as soon as it does.');
          await wait(2000);
        } else throw error;
      }
    }
  };
  const begun = await patiently(() => ask('upload', sent));
  let { received } = begun;
  tell(received);
  while (received < file.size) {
    const piece = file.slice(received, received + begun.piece);
    ({ received } = await patiently(() => send(begun.id, received, piece, signal)));
    tell(received);
  }
  return patiently(() => ask('keep', sent));
}

/**
 * Returns the list of running uploads, each with its progress and a stop button, a function that adds one, and a function
 * that waits for all and returns whether none has failed.
 */
export function sending() {
  const list = element('ul', { class: 'sending', 'aria-label': 'Uploads' });
  const running = new Set();
  const add = (path, file) => {
    const one = addNow(path, file).finally(() => running.delete(one));
    running.add(one);
    return one;
  };
  const isBusy = () => running.size > 0;
  const finish = async () => {
    while (isBusy()) await Promise.all(running);
    return !list.childElementCount;
  };
  const addNow = async (path, file) => {
    const stop = new AbortController();
    const progress = element('progress', { max: file.size || 1, value: 0, 'aria-label': file.name });
    const words = element('span', { class: 'soft' });
    const cancel = element('button', { type: 'button', class: 'quiet' }, 'Stop');
    const row = element('li', {}, element('span', { dir: 'auto' }, file.name), progress, words, cancel);
    cancel.addEventListener('click', () => (stop.signal.aborted || !cancel.isConnected ? row.remove() : stop.abort()));
    list.append(row);
    try {
      const tell = (bytes) => {
        progress.value = bytes;
        words.textContent = `${sizeOf(bytes)} of ${sizeOf(file.size)}`;
      };
      const kept = await upload(path, file, { tell, halt: (why) => (words.textContent = why), signal: stop.signal });
      row.remove();
      if (kept.problem) list.after(note(`${file.name}: ${kept.problem}. Readers get the file as it is. You can save a smaller copy with another program, and add that instead.`));
      return kept;
    } catch (error) {
      if (stop.signal.aborted) {
        row.remove();
        return null;
      }
      progress.remove();
      words.className = 'wrong';
      words.setAttribute('role', 'alert');
      words.textContent = `Not uploaded: ${error.message}`;
      cancel.textContent = 'Close';
      stop.abort();
      return null;
    }
  };
  return { list, add, isBusy, finish };
}

/** Returns a warning that can be closed. */
function note(words) {
  const own = element('div', { class: 'trouble', role: 'alert' }, element('p', { dir: 'auto' }, words));
  own.append(button('Close', () => own.remove()));
  return own;
}

function sizeOf(bytes) {
  const units = ['kB', 'MB', 'GB'];
  let [size, unit] = [bytes / 1000, 0];
  while (size >= 1000 && unit < 2) [size, unit] = [size / 1000, unit + 1];
  return `${size.toFixed(unit && size < 100 ? 1 : 0)} ${units[unit]}`;
}

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

// A file that is dropped anywhere else would replace the page.
for (const name of ['dragover', 'drop']) addEventListener(name, (event) => hasFiles(event) && event.preventDefault());

/** Calls `take` with files that are dropped on an element, and with the drop's target. Inner elements take a drop first. */
export function takeDrops(zone, take) {
  for (const name of ['dragenter', 'dragover']) {
    zone.addEventListener(name, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      zone.classList.add('is-over');
    });
  }
  zone.addEventListener('dragleave', (event) => zone.contains(event.relatedTarget) || zone.classList.remove('is-over'));
  zone.addEventListener('drop', (event) => {
    zone.classList.remove('is-over');
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer.files], event.target);
  });
}

/** Returns the address at which the server shows a media file of a text. */
export function addressOf(path, reference) {
  if (!reference || typeof reference !== 'string') return null;
  if (/^(https?:)?\/\//.test(reference)) return null;
  const at = path.split('/').map(encodeURIComponent).join('/');
  return `media/${at}?of=${encodeURIComponent(reference)}`;
}

let kinds = {};

/** Stores the kinds of media by extension, as reported by the server. */
export function learnKinds(known) {
  kinds = known;
}

/** Returns the kind of a file by its name: image, audio or video. */
export function kindOf(name) {
  const extension = /\.(\w+)$/.exec(name ?? '')?.[1].toLowerCase();
  return Object.hasOwn(kinds, extension) ? kinds[extension] : null;
}

/** Returns an element that shows or plays an image, audio or video file of a text. Returns null for other files. */
export function shown(path, reference) {
  const address = addressOf(path, reference);
  const kind = kindOf(reference);
  if (!address || !kind) return null;
  if (kind === 'image') return element('img', { src: address, alt: '', class: 'thumbnail' });
  return element(kind, { src: address, controls: '', preload: 'metadata' });
}

/** Returns the Markdown that shows or links a file. */
export function markdownOf(file, { reference, type }) {
  const name = file.name.replace(/\.[^.]+$/, '').replace(/[[\]\\]/g, '\\$&');
  return type.startsWith('image/') ? `![](${reference})` : `[${name}](${reference})`;
}
