// Shows the view that the part of the address after # names.

import { signIn, signOut, Refused, Offline } from './server.js';
import { showList, showFaults } from './list.js';
import { showCalendar } from './calendar.js';
import { showDocument } from './document.js';
import { offerTools, showAgents, withdrawTools } from './agents.js';
import { showHome } from './home.js';
import { listenToMenu, markCurrent, refreshUnpublished, showNavigation } from './navigation.js';
import { showNew } from './new_item.js';
import { listenToPalette } from './palette.js';
import { showPublish } from './publish.js';
import { showDeliveries, showDownloads, showJournal, showKeys, showMore } from './records.js';
import { learnKinds } from './media.js';
import { element, sentence, tell } from './page.js';
import { askSite, listenToShows, settleShow } from './shows.js';

// Interval for retrying while the server does not answer, in milliseconds.
const AGAIN = 2000;

const nothing = async () => true;
let leave = nothing;
let leaving = null;
let again;
// Number of requested views. Answers can arrive in any order, and answers for earlier views are ignored.
let asked = 0;
// The last known state of the site. Null before sign-in.
let known = null;

/** Shows the view that the address names. */
async function show() {
  clearTimeout(again);
  asked += 1;
  const own = asked;
  const isOver = () => own !== asked;
  leaving ??= Promise.resolve().then(leave).finally(() => (leaving = null));
  const isLeft = await leaving;
  settleShow(isLeft);
  if (!isLeft || isOver()) return;
  leave = nothing;
  // The last status message was about the previous view.
  tell('');
  const [, view = '', ...rest] = location.hash.split('/');
  markCurrent(view, rest.join('/'));
  try {
    const site = await askSite();
    if (isOver()) return;
    known = site;
    showNavigation(site);
    markCurrent(view, rest.join('/'));
    learnKinds(site.media);
    offerTools();
    const begin = Object.hasOwn(views, view) ? views[view] : showHome;
    const left = (await begin(placeFor(isOver), site, rest.map(decodeURIComponent).join('/'))) ?? nothing;
    if (isOver()) await left();
    else leave = left;
    if (begin !== showHome && view !== 'publish') refreshUnpublished();
  } catch (error) {
    if (!isOver()) explain(error);
  }
}

/**
 * Returns a `main` element for a view. It replaces the previous one when it gets content, unless another view was
 * requested.
 */
function placeFor(isOver) {
  const place = document.getElementById('main').cloneNode();
  place.replaceChildren = (...children) => {
    if (!isOver() && !place.isConnected) document.getElementById('main').replaceWith(place);
    Element.prototype.replaceChildren.apply(place, children);
  };
  return place;
}

const views = {
  new: showNew,
  items: (main, site) => showList(main, site, 'item'),
  pages: (main, site) => showList(main, site, 'page'),
  calendar: (main, site, month) => showCalendar(main, month),
  'site-files': (main, site) => showList(main, site, 'site-file'),
  faults: (main, site) => showFaults(main, site),
  agents: showAgents,
  publish: showPublish,
  more: showMore,
  journal: showJournal,
  deliveries: showDeliveries,
  keys: (main) => showKeys(main),
  downloads: showDownloads,
  channel: (main, site) => showDocument(main, site, site.channel),
  // The path of the file, and after two slashes the path of the text that names it.
  open: (main, site, path) => showDocument(main, site, ...path.split('//')),
};

/** Explains why a view cannot be shown. While the server does not answer, retries. */
function explain(error) {
  if (error instanceof Offline) {
    clearTimeout(again);
    again = setTimeout(show, AGAIN);
    return;
  }
  const main = placeFor(() => false);
  if (error instanceof Refused && error.status === 401) {
    withdrawTools();
    known = null;
    showNavigation(null);
    main.replaceChildren(
      element('h1', {}, 'Sign in'),
      element('p', {}, sentence(error.message)),
      element('p', {}, 'While feedwright serve is running, run this in the folder of the site:'),
      element('pre', {}, 'feedwright edit'),
    );
  } else {
    main.replaceChildren(element('h1', {}, 'This view cannot be shown'), element('p', { role: 'alert' }, error.message));
    console.error(error);
  }
}

document.getElementById('sign-out').addEventListener('click', async () => {
  withdrawTools();
  await signOut();
  location.hash = '#/';
  location.reload();
});
listenToMenu();
listenToShows(show);
listenToPalette(() => known);
// The part of the address after # selects the view, so the skip link must not change it.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});
// A sign-in link may be opened while the editor is already open. Nothing else is requested during sign-in.
let signedIn = Promise.resolve();
const enter = () => {
  signedIn = signedIn.catch(() => {}).then(signIn);
  signedIn.then(show, explain);
};
addEventListener('hashchange', enter);
enter();
