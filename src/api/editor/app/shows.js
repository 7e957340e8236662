// The shows of a network: the person chooses the one whose files are listed, and in which new files are created.

import { element } from './page.js';
import { fillSelect } from './languages.js';
import { ask } from './server.js';

// The folder that was chosen last, such as `shows/walks`.
const LAST = 'feedwright-show';

const ALL = '';

let chosen = localStorage.getItem(LAST) ?? ALL;
let shows = [];

const select = () => document.getElementById('show');

/** Returns the chosen folder, as a part of a request. */
export const inShow = () => (chosen ? { content: chosen } : {});

/** Returns whether a file is in the folder in which new files are created. */
export const isBesideNew = ({ path }) => path.startsWith(`${folderOfNew()}/`);

/** Returns the folder in which new files are created. */
export const folderOfNew = () => chosen || 'content';

/** Asks for the state of the site, with the files of the chosen show. */
export async function askSite() {
  const site = await ask('site', inShow());
  if (!chosen || site.shows?.some(({ content }) => content === chosen)) return site;
  choose(ALL);
  return askSite();
}

function choose(content) {
  chosen = content;
  localStorage.setItem(LAST, content);
}

/** Shows the choice of a show, if the site has several, and links to the chosen show. */
export function showShows(site) {
  shows = site.shows ?? [];
  select().parentElement.hidden = !shows.length;
  fillSelect(select(), [[ALL, 'All'], ...shows.map(({ content, title }) => [content, title || content])]);
  select().value = chosen;
  const path = shows.find(({ content }) => content === chosen)?.path ?? '/';
  document.querySelector('nav a[target]').setAttribute('href', `..${path}`);
}

/** Takes over the choice after a view was left, or undoes it. */
export function settleShow(isLeft) {
  if (!shows.length) return;
  if (isLeft) choose(select().value);
  else select().value = chosen;
}

/** Calls `show` after another show was chosen. A file that is open is left for the home view. */
export function listenToShows(show) {
  select().addEventListener('change', () => {
    if (location.hash.startsWith('#/open/')) location.hash = '#/';
    else show();
  });
}

/** Returns the mark of a file's show in lists of all files. */
export function showMark({ path }) {
  const own = chosen ? null : shows.find(({ content }) => path.startsWith(`${content}/`));
  return own ? element('span', { class: 'show-name', dir: 'auto' }, own.title) : '';
}
