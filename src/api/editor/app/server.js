// Requests to the server. A signed-in person has a cookie, which scripts cannot read, and a token, which is sent from
// here.

import { sentence } from './page.js';

const TOKEN = 'feedwright-token';

/** An error that the server answered. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error || `the server answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

/** The server does not answer. */
export class Offline extends Error {}

/** Returns whether the server refused a request because nobody is signed in. */
export const isSignedOut = (error) => error instanceof Refused && error.status === 401;

/** Returns the message of an error as a sentence that says how to go on. */
export const sentenceOf = (error) => (isSignedOut(error) ? 'You are signed out, and nothing is lost: run “feedwright edit”, and open its link in another tab.' : sentence(error.message));

/** Waits until the server answers again, or somebody signs in. */
export const backOnline = (signal) =>
  new Promise((done, fail) => {
    addEventListener('back-online', done, { once: true, signal });
    signal?.addEventListener('abort', () => fail(signal.reason), { once: true });
  });

addEventListener('storage', ({ key, newValue }) => key === TOKEN && newValue && dispatchEvent(new Event('back-online')));

/** Calls an operation. */
export function ask(operation, body = {}) {
  return post(operation, 'application/json', JSON.stringify(body));
}

/** Sends a piece of a file, starting at byte `at`. */
export function send(id, at, piece, signal) {
  return post(`send/${id}/${at}`, 'application/octet-stream', piece, signal);
}

async function post(operation, type, body, signal) {
  let response;
  try {
    const headers = { 'content-type': type, 'feedwright-token': localStorage.getItem(TOKEN) ?? '' };
    response = await fetch(`api/${operation}`, { method: 'POST', headers, body, signal });
  } catch {
    signal?.throwIfAborted();
    tellOffline(true);
    throw new Offline('the server does not answer');
  }
  tellOffline(false);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

function tellOffline(isOffline) {
  const notice = document.getElementById('offline');
  if (notice.hidden !== isOffline) return;
  notice.hidden = !isOffline;
  if (!isOffline) dispatchEvent(new Event('back-online'));
}

/** Signs in with the code in the address, if there is one. A view can follow the code. */
export async function signIn() {
  const [, code, view] = /^#code=([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (!code) return;
  history.replaceState(null, '', `#${view ?? '/'}`);
  const { token } = await ask('sign-in', { code });
  localStorage.setItem(TOKEN, token);
  dispatchEvent(new Event('back-online'));
}

/** Ends the session. */
export async function signOut() {
  await ask('sign-out');
  localStorage.removeItem(TOKEN);
}
