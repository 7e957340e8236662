// The setup of publishing: where the site should live, what will be written, and what only the person can do.

import { ask, Refused } from './server.js';
import { button, element, sentence } from './page.js';
import { lines } from './difference.js';
import { trouble } from './publish_words.js';

// Pause in typing before the changes are computed, in milliseconds.
const PAUSE = 300;

const token = (where, variables) =>
  `${where} Then stop feedwright in the terminal, run ${variables.map((variable) => `export ${variable}="…"`).join(' and ')} there, and start it again. The token is never stored in the site.`;

const REPOSITORY = { key: 'repository', label: 'Address of the repository', example: 'git@github.com:ada/walks.git' };
const nameIn = (repository) => /[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(repository ?? '')?.slice(1);

// The hosts. `to` returns the destination, and `address` the address that the host gives to a site.
const HOSTS = {
  github: {
    name: 'GitHub Pages',
    cost: 'Free for public repositories. No file may be larger than 100 MB, which is about 100 minutes of MP3.',
    you: 'Create an empty repository at github.com (without a README), and allow this computer to send to it: GitHub’s help explains how to add an SSH key. After the first publishing, open Settings → Pages there and choose the branch gh-pages.',
    fields: [REPOSITORY],
    to: () => 'git:origin#gh-pages',
    address: ({ repository }) => {
      const [owner, name] = nameIn(repository) ?? [];
      if (owner) return name.toLowerCase() === `${owner.toLowerCase()}.github.io` ? `https://${name.toLowerCase()}` : `https://${owner.toLowerCase()}.github.io/${name}`;
    },
    target: 'github-pages',
  },
  netlify: {
    name: 'Netlify',
    cost: 'Free for small sites; a popular podcast needs a paid plan.',
    you: token('Create a site at app.netlify.com, and a personal access token in the user settings.', ['NETLIFY_AUTH_TOKEN']),
    fields: [{ key: 'project', label: 'Name of the site at Netlify', example: 'walks' }],
    to: ({ project }) => `netlify:${project}`,
    address: ({ project }) => `https://${project}.netlify.app`,
    target: 'netlify',
  },
  cloudflare: {
    name: 'Cloudflare Pages',
    cost: 'Free, but no file may be larger than 25 MB: keep recordings in a bucket.',
    you: token('Create a “Direct Upload” project in Cloudflare’s dashboard, and an API token with “Cloudflare Pages: Edit”.', ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']),
    fields: [{ key: 'project', label: 'Name of the project', example: 'walks' }],
    to: ({ project }) => `cloudflare-pages:${project}`,
    address: ({ project }) => `https://${project}.pages.dev`,
    target: 'cloudflare-pages',
  },
  server: {
    name: 'Your own server',
    cost: 'Costs what your server costs, and has no limits of its own.',
    you: 'Allow this computer to sign in to the server with an SSH key, and set up a web server that shows the folder.',
    fields: [
      { key: 'server', label: 'User and server', example: 'ada@walks.example' },
      { key: 'folder', label: 'Folder on the server', example: '/srv/www/walks' },
      { key: 'way', label: 'Sent with', choices: { rsync: 'rsync (faster)', sftp: 'SFTP (if the server has no rsync)' } },
    ],
    to: ({ server, folder, way }) => `${way}:${server}:${folder}`,
    address: ({ server }) => server && `https://${server.split('@').at(-1)}`,
  },
  bucket: {
    name: 'A bucket (S3)',
    cost: 'Costs a few cents a month for storage, and more for many downloads. Suits long recordings.',
    you: token('Create the bucket and an access key that may list, read, write and delete, and let the bucket or its CDN show the files as a website.', ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']),
    fields: [
      { key: 'bucket', label: 'Name of the bucket', example: 'walks' },
      { key: 'region', label: 'Region', example: 'eu-central-1' },
      { key: 'endpoint', label: 'Address of the storage, unless it is Amazon’s', example: 'https://….r2.cloudflarestorage.com', isOptional: true },
    ],
    to: ({ bucket }) => `s3://${bucket}`,
    address: () => undefined,
  },
  folder: {
    name: 'A folder on this computer',
    cost: 'Free. A web server or another program brings the folder online.',
    you: 'Nothing for now.',
    fields: [{ key: 'folder', label: 'Folder', example: '/srv/www/walks' }],
    to: ({ folder }) => `folder:${folder}`,
    address: () => undefined,
  },
};

/** Shows the setup in place of the changes. */
export async function setUp(view) {
  const known = await ask('setup-state');
  if (view.isLeft) return;
  view.setup ??= { host: null, values: {} };
  const details = element('div', { class: 'fields' });
  const focused = document.activeElement?.id;
  const hosts = Object.entries(HOSTS).map(([key, { name }]) => {
    const radio = element('input', { type: 'radio', name: 'host', id: `host-${key}`, value: key });
    radio.checked = view.setup.host === key;
    radio.addEventListener('change', () => {
      view.setup.host = key;
      details.replaceChildren(...detailsOf(view, known));
    });
    return element('label', { class: 'host', for: radio.id }, radio, name);
  });
  if (view.setup.host) details.replaceChildren(...detailsOf(view, known));
  view.top.replaceChildren(
    element('h2', {}, 'Where should your site live?'),
    element('p', {}, 'Choose a place once. From then on, one button publishes all changes.'),
    element('fieldset', { class: 'hosts' }, element('legend', { class: 'skip' }, 'Where should your site live?'), ...hosts),
    details,
    view.isChanging ? element('div', { class: 'tools' }, button('Cancel', () => view.change(false))) : '',
    view.said('main'),
  );
  // When a task ends, the form is shown anew. A person may be typing in it.
  if (focused) document.getElementById(focused)?.focus();
}

/** Returns the fields of the chosen host, and what will be written. */
function detailsOf(view, known) {
  const { values, host: key } = view.setup;
  const host = HOSTS[key];
  const shown = element('div', { class: 'fields', 'aria-live': 'polite' });
  const submit = element('button', { class: 'primary' }, 'Set up and test');
  const form = element('form', { class: 'fields narrow', 'aria-label': host.name });
  let [timer, asked, ready] = [null, 0, null];
  const address = () => values.address ?? (known.is_example ? host.address(values) : known.base_url) ?? '';
  const web = fieldOf({ key: 'address', label: 'Web address of your site', example: 'https://walks.example' }, { address: address() });
  const isDone = () => [...form.querySelectorAll('input[required]')].every((input) => input.value.trim());
  const look = async () => {
    const own = asked;
    if (!isDone()) return shown.replaceChildren();
    const request = requestOf(key, values, known, address());
    try {
      const made = await ask('setup-preview', request);
      if (own !== asked) return;
      shown.replaceChildren(...changesOf(made, known));
      ready = { ...request, version: made.version };
      view.remaining = made.remaining;
    } catch (error) {
      if (own === asked) shown.replaceChildren(error instanceof Refused ? element('p', { class: 'wrong' }, sentence(error.message)) : trouble(error));
    }
    submit.disabled = !ready;
  };
  // An answer for earlier values must not enable the button.
  const changed = () => {
    asked += 1;
    ready = null;
    submit.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  };
  form.addEventListener('input', ({ target }) => {
    values[target.name] = target.type === 'checkbox' ? target.checked : target.value.trim();
    if (target.name !== 'address') web.querySelector('input').value = address();
    changed();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (ready) view.begin('setup', ready);
  });
  const own = host.fields.filter(({ key: name }) => name !== 'repository' || !known.is_connected);
  values.repository ??= known.remote ?? undefined;
  for (const { key: name, choices } of own) if (choices) values[name] ??= Object.keys(choices)[0];
  const people = key === 'github' && known.has_git && !known.has_name ? [{ key: 'name', label: 'Your name, for the history' }, { key: 'email', label: 'Your email, for the history', type: 'email' }] : [];
  const remote = key === 'github' && known.is_connected ? element('p', {}, `Repository: ${known.remote}`) : '';
  const builds = key === 'github' ? checkbox(values) : '';
  form.append(
    element('p', {}, host.cost),
    element('p', {}, element('strong', {}, 'Only you can do this: '), host.you),
    remote,
    ...own.map((field) => fieldOf(field, values)),
    web,
    ...people.map((field) => fieldOf(field, values)),
    builds,
    shown,
    element('div', { class: 'tools' }, submit),
  );
  changed();
  return [form];
}

function fieldOf({ key, label, example, choices, isOptional, type = 'text' }, values) {
  const options = Object.entries(choices ?? {}).map(([value, name]) => element('option', { value, ...(values[key] === value && { selected: '' }) }, name));
  const input = choices ? element('select', {}, ...options) : element('input', { type, autocomplete: 'off', spellcheck: 'false', placeholder: example ? `such as ${example}` : '', ...(!isOptional && { required: '' }) });
  Object.assign(input, { id: `setup-${key}`, name: key });
  if (!choices) input.value = values[key] ?? '';
  return element('div', { class: 'field' }, element('label', { for: input.id }, label), input);
}

function checkbox(values) {
  const box = element('input', { type: 'checkbox', id: 'setup-builds', name: 'builds' });
  box.checked = values.builds ?? false;
  const words = 'Let GitHub publish: after every push and once an hour, so that scheduled items appear on time. Needs the address of feedwright’s wheel in a variable of the repository.';
  return element('div', { class: 'choice' }, box, element('label', { for: box.id }, words));
}

/** Returns the request for the server. Fields that are not filled in are left out. */
function requestOf(key, values, known, address) {
  const host = HOSTS[key];
  const request = { to: host.to(values), target: host.target };
  if (address !== known.base_url) request.base_url = address;
  if (key === 'bucket') Object.assign(request, { region: values.region, endpoint: values.endpoint });
  if (key === 'github') Object.assign(request, { name: values.name, email: values.email, remote: values.repository === known.remote ? undefined : values.repository, workflow: values.builds ? 'github' : undefined });
  for (const [name, value] of Object.entries(request)) if (!value) delete request[name];
  return request;
}

/** Shows a difference without a scroll bar. */
function unscrolled(made) {
  made.classList.add('unscrolled');
  return made;
}

/** Shows what the setup will write. */
function changesOf({ files, remaining, keeps_workflow: keepsWorkflow }, known) {
  const changed = files.filter(({ before, after }) => before !== after);
  const git = known.has_git && !known.has_repository ? element('p', {}, 'feedwright also starts a history of your files (a git repository) in the folder of the site, so that no version is lost.') : '';
  return [
    element('h3', {}, 'This will be written'),
    ...changed.map(({ path, before, after }) => element('details', before ? { open: '' } : {}, element('summary', {}, before ? path : `${path} (new)`), unscrolled(lines(before, after)))),
    changed.length ? '' : element('p', {}, 'Nothing: the settings are there already.'),
    git,
    keepsWorkflow ? element('p', {}, 'The workflow of your git host still publishes the site after each push, to this place. To publish from this computer, delete the file of the workflow.') : '',
    remaining.length ? element('p', {}, element('strong', {}, 'Later, at your host: '), `${remaining.join(', then ')}.`) : '',
  ];
}
