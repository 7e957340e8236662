// Several photos: their order, captions and alternative texts, and whether they become one post or a post each.

import { ask, sentenceOf } from './server.js';
import { button, element } from './page.js';
import { create, titleOf } from './begun.js';
import { address } from './list.js';
import { addressOf, upload } from './media.js';
import { count } from './navigation.js';

/** Returns the list of chosen photos, and what can be done with them. `title` is the title of a post with all photos. */
export function photosView({ label, title }) {
  let rows = [];
  let isEach = false;
  const list = element('ol', { class: 'photos', 'aria-label': 'Chosen photos' });
  const choices = [['all', 'One post with all photos'], ['each', 'One post for each photo']].map(([value, words]) => {
    const input = element('input', { type: 'radio', name: 'posts', value, id: `posts-${value}`, ...(value === 'all' && { checked: '' }) });
    input.addEventListener('change', () => show((isEach = value === 'each')));
    return element('div', { class: 'choice' }, input, element('label', { for: input.id }, words));
  });
  const view = element('div', { class: 'chosen', hidden: '' }, element('fieldset', { class: 'changes' }, element('legend', {}, 'What do they become?'), ...choices), list);
  const show = () => {
    view.hidden = !rows.length;
    list.replaceChildren(...rows.map(({ element }) => element));
    rows.forEach((row, at) => row.place(at, rows.length, isEach));
    title.closest('.field').hidden = isEach;
    title.required = !rows.length;
    title.placeholder = rows.length && !isEach ? titleOf(rows[0].given.name) : '';
    label().textContent = isEach ? `Start ${count(rows.length, 'draft')}` : 'Start the draft';
  };
  const move = (row, to) => {
    rows = rows.filter((other) => other !== row).toSpliced(to, 0, row);
    show();
  };
  const remove = (row) => {
    const at = rows.indexOf(row);
    rows = rows.filter((other) => other !== row);
    row.forget();
    if (!rows.length) isEach = false;
    show();
    (rows[Math.min(at, rows.length - 1)]?.element.querySelector('input') ?? title).focus();
  };
  const actions = { move, remove, at: (row) => rows.indexOf(row), rowOf: (element) => rows.find((row) => row.element === element) };
  sortByDrag(list, actions);
  const clear = () => {
    for (const row of rows) row.forget();
    rows = [];
  };
  return {
    view,
    isEach: () => isEach && rows.length > 0,
    files: () => rows.map((row) => row.values()),
    add: (files) => {
      rows = [...rows, ...files.map((given) => photoRow(given, actions))];
      show();
    },
    clear,
    createEach: async (main, start, wrong) => {
      if (!(await createEach(rows, start, wrong))) return;
      const drafts = rows.map(({ path, name, kept }) => ({ path, name: name(), picture: `${addressOf(path, kept.reference)}&small` }));
      clear();
      showDrafts(main, drafts);
    },
    leave: async () => {
      const isSure = !rows.length || confirm('Leave? The chosen photos and their texts are not saved yet.');
      if (isSure) clear();
      else history.replaceState(null, '', '#/new/photo');
      return isSure;
    },
  };
}

let numbers = 0;

/** Returns the row of a photo: its picture, caption, alternative text, and buttons that move and remove it. */
function photoRow(given, { move, remove, at }) {
  numbers += 1;
  const source = URL.createObjectURL(given);
  const field = (name, label, help) => {
    const input = element('input', { id: `photo-${numbers}-${name}`, autocomplete: 'off', dir: 'auto', spellcheck: 'true', 'aria-describedby': `photo-${numbers}-${name}-help` });
    return [input, element('div', { class: 'field' }, element('label', { for: input.id }, label), input, element('p', { class: 'help', id: `photo-${numbers}-${name}-help` }, help))];
  };
  const [caption, captionField] = field('caption', 'Caption', '');
  const [alternative, alternativeField] = field('alternative', 'Alternative text', 'What it shows, for people who cannot see it.');
  const small = (words, action) => {
    const made = button(words, action);
    made.setAttribute('aria-label', `${words}: ${given.name}`);
    return made;
  };
  const row = { given, path: null, isDone: false };
  const up = small('Move up', () => moveTo(-1, up, down));
  const down = small('Move down', () => moveTo(1, down, up));
  const moveTo = (step, own, other) => {
    move(row, at(row) + step);
    (own.disabled ? other : own).focus();
  };
  const state = element('p', { role: 'status', class: 'soft' });
  const picture = element('img', { src: source, alt: '', draggable: 'true', decoding: 'async', title: 'Drag to change the order' });
  row.element = element(
    'li',
    { 'aria-label': given.name },
    picture,
    element('div', { class: 'fields' }, element('p', { class: 'soft', dir: 'auto' }, given.name), element('div', { class: 'about-photo' }, captionField, alternativeField), state, element('div', { class: 'tools' }, up, down, small('Remove', () => remove(row)))),
  );
  const textOf = (input) => input.value.replace(/\s+/g, ' ').trim();
  return Object.assign(row, {
    tell: (words) => (state.textContent = words),
    name: () => textOf(caption) || titleOf(given.name),
    values: () => ({ given, caption: textOf(caption), alternative: textOf(alternative) }),
    forget: () => URL.revokeObjectURL(source),
    place: (index, number, isEach) => {
      [up.disabled, down.disabled] = [index === 0, index === number - 1];
      caption.placeholder = isEach ? titleOf(given.name) : '';
    },
  });
}

/** Lets rows be moved by dragging their pictures. */
function sortByDrag(list, { move, at, rowOf }) {
  let [dragged, over] = [null, null];
  const mark = (row) => {
    over?.element.classList.remove('is-over');
    over = row && row !== dragged ? row : null;
    over?.element.classList.add('is-over');
  };
  list.addEventListener('dragstart', (event) => {
    dragged = rowOf(event.target.closest('li'));
    if (dragged) event.dataTransfer.setData('text/plain', dragged.given.name);
  });
  list.addEventListener('dragover', (event) => {
    if (!dragged) return;
    event.preventDefault();
    mark(rowOf(event.target.closest('li')));
  });
  list.addEventListener('drop', (event) => {
    if (!dragged) return;
    event.preventDefault();
    if (over) move(dragged, at(over));
  });
  list.addEventListener('dragend', () => mark((dragged = null)));
}

/** Creates a draft for each photo. After an error, the next call continues where this one stopped. */
async function createEach(rows, start, wrong) {
  start.disabled = true;
  wrong.textContent = '';
  for (const row of rows.filter(({ isDone }) => !isDone)) {
    try {
      row.path ??= await create('photo', row.name(), [], !row.values().caption);
      await fill(row);
      row.isDone = true;
      row.tell('Saved as a draft.');
    } catch (error) {
      row.tell('');
      wrong.textContent = `${row.given.name}: ${sentenceOf(error)} Then press the button again.`;
      break;
    }
  }
  start.disabled = false;
  return rows.every(({ isDone }) => isDone);
}

/** Uploads the photo of a draft, and writes it into the draft. */
async function fill(row) {
  const { path, given, tell, values } = row;
  const percent = (bytes) => tell(`Uploading: ${Math.floor((100 * bytes) / (given.size || 1))} %`);
  const { reference, problem } = (row.kept = await upload(path, given, { tell: percent, halt: tell }));
  const { alternative } = values();
  const image = alternative ? [{ keys: ['image'], value: { url: reference, alt: alternative } }] : [];
  await change(path, [{ keys: ['attachment'], value: reference }, ...image]);
  if (problem) tell(`Saved as a draft. ${problem}.`);
}

/** Changes fields of a file. */
async function change(path, changes) {
  const there = await ask('open', { path });
  const edited = await ask('edit', { path, text: there.head + there.body, changes });
  await ask('save', { path, text: edited.head + edited.body, version: there.version });
}

/** Lists new drafts, and publishes all of them with one button. */
function showDrafts(main, drafts) {
  const number = count(drafts.length, 'draft');
  const state = element('p', { role: 'status', id: 'all-then' }, 'All go online with the next publishing.');
  const set = async (isPublic) => {
    all.disabled = true;
    try {
      for (const { path } of drafts) await change(path, [{ keys: ['status'], value: isPublic ? null : 'unpublished' }, ...(isPublic ? [] : [{ keys: ['date_published'], value: null }])]);
      state.textContent = isPublic ? `${count(drafts.length, 'photo is', 'photos are')} published here. They go online with the next publishing.` : 'All go online with the next publishing.';
      all.textContent = isPublic ? 'Back to drafts' : 'Publish all';
      all.className = isPublic ? 'quiet' : '';
      is = isPublic;
    } catch (error) {
      state.textContent = sentenceOf(error);
    }
    all.disabled = false;
  };
  let is = false;
  const all = button('Publish all', () => set(!is), '');
  all.setAttribute('aria-describedby', 'all-then');
  const links = drafts.map(({ path, name, picture }) => element('li', {}, element('a', { href: address(path), dir: 'auto' }, element('img', { class: 'thumb', src: picture, alt: '' }), name)));
  main.replaceChildren(element('h1', {}, `${number} of photos`), element('ul', { class: 'plain drafts' }, ...links), element('div', { class: 'choice' }, all, state));
  main.focus();
}
