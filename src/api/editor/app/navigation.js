// The navigation: it is named after what the site is about, and shows counts and the current view.

import { ask } from './server.js';
import { showShows } from './shows.js';

/** The views that have no link in the main navigation: the name in the address, the title, and what they show. */
export const MORE = [
  ['calendar', 'Calendar', 'Events, and what is published on which day.'],
  ['agents', 'Agents', 'What agents did, and the changes that they propose.'],
  ['site-files', 'Site files', 'Text files at the root of the site, such as robots.txt, and their templates.'],
  ['journal', 'Journal', 'Who wrote what, and when: the editor, programs with a key, and hooks.'],
  ['deliveries', 'Deliveries', 'Webhook messages: delivered, pending and failed.'],
  ['keys', 'Keys', 'Create and revoke keys for programs that read or write this site.'],
  ['downloads', 'Downloads', 'Charts of downloads, by day and by item.'],
];

// How long the number of unpublished changes is shown without asking again, in milliseconds.
const FRESH = 10000;

/** Returns the word for an item of a form. The forms are named by these words. */
export const nounOf = (form) => form ?? 'post';

export const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString()} ${number === 1 ? one : many}`;

/** Joins words: “the title, 7 chapters and the cover”. */
export const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words[0]);

/** Returns the word for all items of the site: “item” if they are a mixture. */
export function nounOfAll({ files, subject }) {
  const items = files.filter(({ kind, form }) => kind === 'item' && form);
  const others = items.filter(({ form }) => form !== subject).length;
  return others > items.length / 3 ? 'item' : nounOf(subject);
}

const link = (id) => document.getElementById(id);

/** Shows a number after the name of a view. */
export function setCount(id, number) {
  const [name] = link(id).childNodes;
  const badge = document.createElement('span');
  badge.className = 'badge';
  badge.textContent = number;
  link(id).replaceChildren(name, ...(number ? [' ', badge] : []));
}

function setName(id, name) {
  if (link(id).firstChild.data !== name) link(id).replaceChildren(name);
}

/** Shows the navigation for the site. Without a site, nobody is signed in, and the navigation is hidden. */
export function showNavigation(site) {
  for (const id of ['navigation', 'menu']) link(id).hidden = !site;
  if (!site) return;
  document.querySelector('.site a').textContent = site.title || 'Editor';
  showShows(site);
  setName('new', `New ${nounOf(site.subject)}`);
  setName('items', capital(`${nounOfAll(site)}s`));
  setName('channel', site.subject === 'episode' ? 'Show' : 'Site');
  link('calendar').parentElement.hidden = site.has_calendar === false;
  setCount('faults', site.check.faults.length);
  countProposals(site.proposals);
}

/** Shows the number of proposals of agents. Without proposals, the view is under More. */
export function countProposals(number) {
  link('agents').parentElement.hidden = !number;
  setCount('agents', number);
}

const SECTIONS = { 'content/items/': 'items', 'content/pages/': 'pages', 'content/channel.': 'channel', 'content/calendars/': 'calendar', 'site-files/': 'more' };

/** Marks the link of the current view, or of the section that contains it. */
export function markCurrent(view, rest) {
  const path = decodeURIComponent(rest).replace(/^shows\/[^/]+/, 'content');
  const section = view === 'open' ? (Object.entries(SECTIONS).find(([start]) => path.startsWith(start))?.[1] ?? '') : view;
  const links = [...document.querySelectorAll('nav a[href^="#"]:not(.act)')];
  const isShown = (own) => own.hash === `#/${section}` && !own.parentElement.hidden;
  const wanted = !links.some(isShown) && MORE.some(([name]) => name === section) ? 'more' : section;
  for (const own of links) {
    if (own.hash === `#/${wanted}`) own.setAttribute('aria-current', view === wanted ? 'page' : 'true');
    else own.removeAttribute('aria-current');
  }
}

let asked = 0;

/** Returns the number of changes that are not published, or null if it is not known. */
const unpublished = ({ now }) => (now.summary && !now.summary.is_first ? now.summary.changes.length : null);

/** Asks what is not published yet, and shows how much it is. Returns the answer of the server. */
export async function countUnpublished() {
  asked = Date.now();
  const state = await ask('publish');
  setCount('publish', unpublished(state));
  return state;
}

/** Updates the number of changes if it is old. */
export function refreshUnpublished() {
  if (Date.now() - asked > FRESH) countUnpublished().catch(() => {});
}

/** Opens and closes the menu of narrow windows. It closes when a choice is made, and with Escape. */
export function listenToMenu() {
  const [menu, header] = [link('menu'), document.querySelector('header')];
  const set = (isOpen) => {
    menu.setAttribute('aria-expanded', isOpen);
    header.classList.toggle('is-open', isOpen);
  };
  const isOpen = () => header.classList.contains('is-open');
  const close = () => {
    if (!isOpen()) return;
    if (link('navigation').contains(document.activeElement)) menu.focus();
    set(false);
  };
  menu.addEventListener('click', () => set(!isOpen()));
  link('navigation').addEventListener('click', (event) => event.target.closest('a, button') && close());
  header.addEventListener('keydown', (event) => event.key === 'Escape' && close());
  addEventListener('hashchange', close);
  link('show').addEventListener('change', close);
  document.addEventListener('pointerdown', (event) => header.contains(event.target) || close());
}
