// The home view: the state of the site, and what to do next.

import { ask, sentenceOf } from './server.js';
import { element } from './page.js';
import { address, filesTable, newLink, row, sorted } from './list.js';
import { keptPaths } from './kept.js';
import { takeDrops } from './media.js';
import { count, countUnpublished, nounOfAll } from './navigation.js';
import { beginWith } from './new_item.js';
import { inWords, timeOf } from './publish_words.js';

// Maximum number of items in each list.
const MOST = 5;
const DAY = 86_400_000;
// The downloads of this number of days are summed up.
const DAYS = 30;

/** Shows the state of the site. The parts that take longer are filled in later. */
export function showHome(main, site) {
  const items = sorted(site, 'item');
  const is = (...wanted) => items.filter(({ status }) => wanted.includes(status));
  const noun = nounOfAll(site);
  const lists = [
    list('Drafts', is('draft', 'unreadable'), 'items'),
    // The next one comes first.
    list('Scheduled', is('scheduled').reverse(), 'items'),
    list(`Latest ${noun}s`, is('published', 'unlisted'), 'items'),
  ].filter(Boolean);
  const none = element('p', { class: 'empty' }, `There are no ${noun}s yet. “New ${noun}” begins the first one.`);
  const late = () => element('li', { hidden: '' });
  const state = { changes: late(), deployed: late(), downloads: late() };
  const faults = problems(site.check.faults);
  const wrong = [faults, unsaved(site)].filter(Boolean);
  main.replaceChildren(
    element('div', { class: 'heading' }, element('h1', { dir: 'auto' }, site.title || 'Home'), element('div', { class: 'begins' }, large(newLink(site)), element('p', { class: 'soft' }, 'Or drop a recording or photos anywhere here.'))),
    ...(wrong.length ? [element('ul', { class: 'facts', role: 'list' }, ...wrong)] : []),
    element(
      'div',
      { class: 'home' },
      element('div', { class: 'lists' }, ...(lists.length ? lists : [none])),
      element(
        'section',
        { class: 'panel', 'aria-labelledby': 'state-name' },
        element('h2', { id: 'state-name' }, 'Your site'),
        element('ul', { class: 'facts', role: 'list' }, faults ? '' : element('li', {}, 'No problems'), state.changes, state.deployed, state.downloads),
      ),
    ),
  );
  takeDrops(main, beginWith);
  fillIn(state, site);
}

// Fills in late answers from top to bottom, so that no visible line moves.
async function fillIn(state, site) {
  const downloads = site.has_downloads ? ask('downloads').catch(() => ({})) : {};
  await showChanges(state).catch((error) => tell(state.changes, sentenceOf(error)));
  showDownloads(state.downloads, await downloads);
}

function large(link) {
  link.classList.add('large');
  return link;
}

function tell(place, ...children) {
  place.hidden = false;
  place.replaceChildren(...children);
}

function list(name, files, view) {
  if (!files.length) return null;
  const body = element('tbody', {}, ...files.slice(0, MOST).map((file) => row(file)));
  const more = files.length > MOST ? element('p', {}, element('a', { href: `#/${view}` }, `All ${files.length.toLocaleString()}`)) : '';
  return element('section', { class: 'list' }, element('h2', {}, name), filesTable(body, files, name), more);
}

function problems(faults) {
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const words = [errors && count(errors, 'error'), faults.length - errors && count(faults.length - errors, 'warning')].filter(Boolean);
  if (!words.length) return null;
  return element('li', { class: errors ? 'error' : 'warning' }, element('a', { href: '#/faults' }, words.join(' and ')));
}

/** Names the texts that are only in this browser. */
function unsaved(site) {
  const paths = keptPaths();
  if (!paths.length) return null;
  const nameOf = (path) => site.files.find((file) => file.path === path)?.title || path;
  const links = paths.flatMap((path, at) => [at ? ', ' : '', element('a', { href: address(path), dir: 'auto' }, nameOf(path))]);
  return element('li', {}, 'Not saved yet: ', ...links);
}

async function showChanges({ changes, deployed }) {
  const { now } = await countUnpublished();
  const link = (words) => element('a', { href: '#/publish' }, words);
  if (now.trouble) return tell(changes, link('Publishing needs your help'));
  const { changes: all, is_first: isFirst } = now.summary;
  if (isFirst) tell(changes, link('Ready to publish for the first time'));
  else if (all.length) tell(changes, link(`Not published yet: ${inWords(all)}`));
  else if (now.how) tell(changes, 'All changes are published');
  if (!now.how) tell(deployed, link('Choose where your site should live'));
  else if (now.last) tell(deployed, 'Last published ', timeOf(now.last));
}

function showDownloads(place, { days }) {
  if (!days?.length) return;
  const since = Date.now() - DAYS * DAY;
  const recent = days.filter(([day]) => Date.parse(day) >= since).reduce((sum, [, number]) => sum + number, 0);
  tell(place, element('a', { href: '#/downloads' }, count(recent, 'download')), ` in the last ${DAYS} days`);
}
