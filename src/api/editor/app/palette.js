// The palette: finds any item, page or action by typing.

import { element } from './page.js';
import { STATUS, address, sorted } from './list.js';
import { capital, nounOf } from './navigation.js';

// Maximum number of results.
const MOST = 12;

const VIEWS = [
  ['Site files', '#/site-files'],
  ['Journal', '#/journal'],
  ['Deliveries', '#/deliveries'],
  ['Keys', '#/keys'],
  ['Downloads', '#/downloads'],
  ['Agents', '#/agents'],
  ['Calendar', '#/calendar'],
];

/** Returns everything that can be found: actions, views and files. Each has a name and what it is, and an action. */
function targets(site) {
  const go = (hash) => () => (location.hash = hash);
  const news = [...new Set([nounOf(site.subject), 'post', 'episode', 'photo'])].map((form) => ({ name: `New ${form}`, is: 'Action', run: go(`#/new/${form}`) }));
  const links = [...document.querySelectorAll('nav li a[href^="#"]')].filter((link) => !link.parentElement.hidden);
  const shown = links.map((link) => [link.firstChild.data.trim(), link.hash]);
  const more = VIEWS.filter(([, hash]) => !shown.some(([, other]) => other === hash));
  const views = [...shown, ...more].map(([name, hash]) => ({ name, is: 'View', run: go(hash) }));
  const files = ['item', 'page', 'site-file'].flatMap((kind) => sorted(site, kind)).map((file) => ({
    name: file.title || file.path,
    words: [file.path, ...(file.tags ?? [])].join(' '),
    is: `${file.kind === 'item' ? capital(nounOf(file.form)) : file.kind === 'page' ? 'Page' : 'Site file'} · ${STATUS[file.status].toLowerCase()}`,
    run: go(address(file.path)),
  }));
  const out = [
    { name: 'View site', is: 'Action', run: () => document.querySelector('nav a[target]').click() },
    { name: 'Sign out', is: 'Action', run: () => document.getElementById('sign-out').click() },
  ];
  return [...news.slice(0, 1), ...views, ...news.slice(1), ...files, ...out];
}

/** Returns how well a target matches the words, or 0. The best is a name that begins with all that was typed. */
function rank({ name, words = '' }, typed) {
  const [own, parts] = [name.toLowerCase(), typed.split(/\s+/).filter(Boolean)];
  if (!parts.every((part) => own.includes(part) || words.toLowerCase().includes(part))) return 0;
  if (own.startsWith(typed)) return 4;
  if (parts.every((part) => own.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(part)))) return 3;
  return parts.every((part) => own.includes(part)) ? 2 : 1;
}

function find(all, text) {
  const typed = text.trim().toLowerCase();
  if (!typed) return all.slice(0, MOST);
  const ranked = all.map((target) => [rank(target, typed), target]).filter(([own]) => own);
  return ranked.sort(([a], [b]) => b - a).slice(0, MOST).map(([, target]) => target);
}

/** Opens the palette for a site. */
function openPalette(site) {
  if (document.querySelector('dialog[open]')) return;
  const all = targets(site);
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' });
  const input = element('input', { type: 'text', role: 'combobox', 'aria-label': 'Go to', 'aria-controls': 'found', 'aria-expanded': 'true', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false', placeholder: 'A title, a page or an action' });
  const none = element('p', { class: 'soft', role: 'status' });
  const dialog = element('dialog', { class: 'palette', 'aria-label': 'Go to' }, input, list, none);
  let [found, at] = [[], 0];
  const mark = (to) => {
    at = to;
    for (const [own, option] of [...list.children].entries()) option.setAttribute('aria-selected', own === at);
    const option = list.children[at];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (target) => {
    dialog.close();
    target?.run();
  };
  const fill = () => {
    found = find(all, input.value);
    list.replaceChildren(...found.map((target, own) => {
      const option = element('li', { id: `found-${own}`, role: 'option' }, element('span', { dir: 'auto' }, target.name), ' ', element('span', { class: 'soft' }, target.is));
      option.addEventListener('click', () => choose(target));
      option.addEventListener('pointermove', () => at === own || mark(own));
      return option;
    }));
    none.textContent = found.length ? '' : 'Nothing found.';
    list.hidden = !found.length;
    input.setAttribute('aria-expanded', found.length > 0);
    mark(0);
  };
  input.addEventListener('input', fill);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const last = found.length - 1;
    const to = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last }[event.key];
    if (to !== undefined) mark(to);
    else if (event.key === 'Enter') choose(found[at]);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  fill();
  dialog.showModal();
  input.focus();
}

/** Opens the palette with Ctrl+K or Cmd+K. In a text, these keys make a link. */
export function listenToPalette(currentSite) {
  const open = () => currentSite() && openPalette(currentSite());
  document.getElementById('go-to').addEventListener('click', open);
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'k') return;
    event.preventDefault();
    open();
  });
  if (/Mac|iPhone|iPad/.test(navigator.platform)) document.querySelector('#go-to kbd').textContent = '⌘ K';
}
