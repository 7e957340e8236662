// Which view is shown: the address after # says it.

import { ask, signIn, signOut, Refused, Offline } from './server.js';
import { showList, showFaults } from './list.js';
import { showDocument } from './document.js';
import { count, offerTools, showAgents, withdrawTools } from './agents.js';
import { showPublish } from './publish.js';
import { inMore, showDeliveries, showDownloads, showJournal, showKeys, showMore } from './records.js';
import { element } from './page.js';

const main = document.getElementById('main');
let leave = async () => true;

/** Shows what the address names. */
async function show() {
  if (!(await leave())) return;
  leave = async () => true;
  const [, view = '', ...rest] = location.hash.split('/');
  for (const link of document.querySelectorAll('nav a')) {
    const isHere = link.hash === `#/${inMore.includes(view) ? 'more' : view || 'items'}`;
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  try {
    const site = await ask('site');
    document.querySelector('.site a').textContent = site.title || 'Editor';
    document.getElementById('sign-out').hidden = false;
    count(site.proposals);
    offerTools();
    const view_ = views[view] ?? views.items;
    leave = (await view_(site, rest.map(decodeURIComponent).join('/'))) ?? leave;
  } catch (error) {
    explain(error);
  }
}

const views = {
  items: (site) => showList(main, site, 'item'),
  pages: (site) => showList(main, site, 'page'),
  faults: (site) => showFaults(main, site),
  agents: () => showAgents(main),
  publish: (site) => showPublish(main, site),
  more: () => showMore(main),
  journal: () => showJournal(main),
  deliveries: () => showDeliveries(main),
  keys: () => showKeys(main),
  downloads: () => showDownloads(main),
  channel: (site) => showDocument(main, site, site.channel),
  // The file, and after two slashes the text that names it.
  open: (site, path) => showDocument(main, site, ...path.split('//')),
};

/** Says why there is nothing to show. */
function explain(error) {
  if (error instanceof Refused && error.status === 401) {
    withdrawTools();
    main.replaceChildren(
      element('h1', {}, 'Sign in'),
      element('p', {}, `${error.message[0].toUpperCase()}${error.message.slice(1)}.`),
      element('p', {}, 'Run this in the folder of the site, while it is served:'),
      element('pre', {}, 'feedwright edit'),
    );
  } else if (!(error instanceof Offline)) {
    main.replaceChildren(element('h1', {}, 'This could not be shown'), element('p', { role: 'alert' }, error.message));
    console.error(error);
  }
}

document.getElementById('sign-out').addEventListener('click', async () => {
  withdrawTools();
  await signOut();
  location.hash = '#/';
  location.reload();
});
addEventListener('hashchange', show);
addEventListener('back-online', () => main.childElementCount || show());
signIn().then(show, explain);
