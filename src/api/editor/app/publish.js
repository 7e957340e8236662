// The publish view: shows what a commit, a push or a deploy would do, and runs it.

import { ask, Refused, Offline } from './server.js';
import { button, element, sentence, tell } from './page.js';
import { keptPaths } from './kept.js';

const KINDS = { added: 'New', edited: 'Changed', deleted: 'Deleted' };
const VERBS = { added: 'Add', edited: 'Edit', deleted: 'Delete' };
const NAMES = { commit: 'The commit', push: 'The push', plan: 'The plan', deploy: 'The deploy' };

// Interval for polling a running task, in milliseconds.
const AGAIN = 500;

const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

const size = (bytes) => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; bytes >= 1000 && unit < 4; unit += 1) bytes /= 1000;
  return `${unit && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
};

/** Shows what there is to publish. */
export async function showPublish(main, site) {
  const view = new Publishing(main, site);
  main.replaceChildren(element('h1', { tabindex: '-1' }, 'Publish'), element('p', { role: 'status' }, 'Looking for changes…'));
  await view.refresh();
  return () => view.leave();
}

class Publishing {
  constructor(main, site) {
    Object.assign(this, { main, site, typed: null, chosen: new Map(), isLeft: false });
    this.parts = Object.fromEntries(['commit', 'push', 'deploy'].map((name) => [name, element('section', { class: 'part', 'aria-labelledby': `${name}-name` })]));
  }

  leave() {
    this.isLeft = true;
    return true;
  }

  /** Requests the current state again. */
  async refresh() {
    const standing = await ask('publish');
    if (this.isLeft) return;
    this.standing = standing;
    if (!this.parts.commit.isConnected) this.main.replaceChildren(element('h1', { tabindex: '-1' }, 'Publish'), ...Object.values(this.parts));
    this.showCommit(standing.commit);
    this.showPush(standing.push);
    this.showDeploy(standing.deploy);
    const running = standing.deeds.find((deed) => !deed.ended);
    if (running) this.follow(running);
  }

  fill(name, heading, ...children) {
    this.parts[name].replaceChildren(element('h2', { id: `${name}-name` }, heading), ...children, this.said(name));
  }

  /** Returns the status area of a section. It keeps its last message when the section is rendered again. */
  said(name) {
    this.words ??= {};
    this.words[name] ??= element('div', { class: 'said', role: 'status', tabindex: '-1', 'aria-label': NAMES[name] });
    return this.words[name];
  }

  showCommit(commit) {
    if (commit.trouble) return this.fill('commit', 'Commit', trouble(commit.trouble));
    const { files, branch } = commit;
    const left = commit.left_out ? element('p', { class: 'soft' }, `${count(commit.left_out, 'other file')} cannot be shown here: commit them in a terminal.`) : '';
    if (!files.length) return this.fill('commit', `Commit to ${branch}`, element('p', {}, 'Nothing changed since the last commit.'), left);
    const message = element('textarea', { id: 'message', rows: '2', dir: 'auto', spellcheck: 'true', maxlength: '10000' });
    const button = element('button', {}, 'Commit');
    const boxes = files.map((file, at) => {
      const box = element('input', { type: 'checkbox', id: `file-${at}` });
      box.checked = this.chosen.get(file.path) ?? file.is_content;
      box.addEventListener('change', () => this.chosen.set(file.path, box.checked));
      return box;
    });
    const chosen = () => files.filter((_, at) => boxes[at].checked);
    const say = () => {
      if (this.typed === null) message.value = suggested(chosen());
      button.textContent = `Commit ${count(chosen().length, 'file')}`;
    };
    message.addEventListener('input', () => (this.typed = message.value || null));
    message.value = this.typed ?? '';
    const toggle = element('button', { type: 'button', class: 'quiet' }, 'Select all or none');
    toggle.addEventListener('click', () => {
      const all = boxes.every((box) => box.checked);
      boxes.forEach((box, at) => this.chosen.set(files[at].path, (box.checked = !all)));
      say();
    });
    const form = element(
      'form',
      { class: 'fields' },
      element('fieldset', { class: 'changes' }, element('legend', {}, `${count(files.length, 'file')} changed`), ...files.map((file, at) => change(file, boxes[at]))),
      left,
      this.unsaved(),
      element('div', { class: 'field' }, element('label', { for: 'message' }, 'Message'), message),
      element('div', { class: 'tools' }, button, files.length > 1 ? toggle : ''),
    );
    form.addEventListener('change', say);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const wished = chosen().map(({ path, version }) => ({ path, version }));
      this.begin('commit', { message: message.value, files: wished });
    });
    say();
    this.fill('commit', `Commit to ${branch}`, form);
  }

  /** Warns about unsaved texts in this browser, which a commit does not include. */
  unsaved() {
    const paths = keptPaths();
    return paths.length ? element('p', { class: 'wrong' }, `Unsaved changes, which a commit does not include: ${paths.join(', ')}`) : '';
  }

  showPush(push) {
    if (push.trouble) {
      // The commit section already shows this problem.
      const isSame = push.trouble.message === this.standing.commit.trouble?.message;
      return this.fill('push', 'Push', isSame ? element('p', { class: 'soft' }, 'Fix the problem above first.') : trouble(push.trouble));
    }
    const behind = push.behind ? element('p', {}, `${push.to} has ${count(push.behind, 'commit')} that you do not have.`) : '';
    const where = element('p', { class: 'soft' }, push.url);
    if (!push.ahead) return this.fill('push', `Push to ${push.to}`, where, element('p', {}, 'Nothing to push: the remote has all commits, according to the last fetch or push.'), behind);
    const button = element('button', { type: 'button' }, `Push ${count(push.ahead, 'commit')}`);
    button.addEventListener('click', () => this.begin('push', { revision: push.revision, to: push.to }));
    const commits = push.commits.map((commit) => element('li', {}, element('code', {}, commit.short), ' ', element('span', { dir: 'auto' }, commit.subject)));
    const more = push.ahead > commits.length ? element('p', { class: 'soft' }, `and ${push.ahead - commits.length} more`) : '';
    this.fill('push', `Push to ${push.to}`, where, element('ul', { class: 'plain' }, ...commits), more, behind, element('div', { class: 'tools' }, button));
  }

  showDeploy(deploy) {
    if (deploy.trouble) return this.fill('deploy', 'Deploy', trouble(deploy.trouble));
    const { errors } = this.site;
    const stops = errors
      ? element('p', { class: 'wrong' }, `${count(errors, 'error')} in the site ${errors === 1 ? 'prevents' : 'prevent'} a deploy: `, element('a', { href: '#/faults' }, 'see Problems'))
      : '';
    const look = element('button', { type: 'button', class: 'quiet' }, 'Make a plan');
    look.addEventListener('click', () => this.begin('plan', {}));
    this.fill('deploy', 'Deploy', element('p', {}, `To ${deploy.to}. The site is built first.`), stops, element('div', { class: 'tools' }, look));
  }

  showPlan(plan) {
    const button = element('button', { type: 'button' }, 'Deploy');
    button.addEventListener('click', () => this.begin('deploy', { serial: plan.serial }));
    this.said('deploy').replaceChildren(...[plan.media, plan].filter(Boolean).map(place), element('div', { class: 'tools' }, button));
  }

  /** Starts a task. If the server refuses it, the state may have changed, so the current state is shown. */
  async begin(kind, asked) {
    if (this.isBusy) return tell('Another task is still running.');
    this.isBusy = true;
    const said = this.said(kind === 'plan' ? 'deploy' : kind);
    said.replaceChildren(element('p', {}, 'Starting…'));
    try {
      await this.follow(await ask(`publish-${kind}`, asked));
    } catch (error) {
      this.isBusy = false;
      if (error instanceof Offline) return said.replaceChildren(element('p', {}, 'The server does not answer. Try again when it is back.'));
      if (!(error instanceof Refused)) throw error;
      await this.refresh().catch(() => {});
      said.replaceChildren(trouble({ message: error.message }));
    }
  }

  /** Shows a task until it ends. The task may have been started in another window. */
  async follow(deed) {
    this.isBusy = true;
    const name = deed.kind === 'plan' ? 'deploy' : deed.kind;
    const bar = element('progress', { 'aria-label': NAMES[deed.kind] });
    const words = element('p', {}, `${NAMES[deed.kind]} is running…`);
    const stop = button('Stop', async () => {
      stop.disabled = true;
      await ask('publish-stop', { id: deed.id }).catch((error) => {
        stop.disabled = false;
        tell(error.message);
      });
    });
    this.said(name).replaceChildren(words, bar, element('div', { class: 'tools' }, stop));
    while (!deed.ended) {
      await new Promise((done) => setTimeout(done, AGAIN));
      if (this.isLeft) return;
      try {
        deed = await ask('publish-deed', { id: deed.id });
      } catch (error) {
        if (error instanceof Offline) continue;
        // The server was restarted and does not know the task.
        deed = { ...deed, ended: true, trouble: { message: `${error.message}: check what was done` } };
      }
      const { progress } = deed;
      if (!progress) continue;
      words.textContent = `${progress.name}…`;
      if (progress.of) Object.assign(bar, { max: progress.of, value: Math.min(progress.done, progress.of) });
      else bar.removeAttribute('value');
    }
    this.isBusy = false;
    if (deed.kind === 'commit' && deed.done) [this.typed, this.chosen] = [null, new Map()];
    await this.refresh().catch(() => {});
    this.end(deed, name);
  }

  end(deed, name) {
    const { kind, done } = deed;
    const said = this.said(name);
    if (!done) {
      said.replaceChildren(trouble(deed.trouble));
    } else if (kind === 'plan') {
      this.showPlan(done);
    } else {
      said.replaceChildren(
        element('p', {}, result(kind, done)),
        done.otherwise?.length ? element('p', { class: 'wrong' }, `Committed with different content than shown, because a hook or a save changed it: ${done.otherwise.join(', ')}`) : '',
        // For a push, shows only the messages of the remote. The rest is already shown above.
        heard(kind === 'push' ? done.said.split('\n').filter((line) => line.startsWith('remote:')).join('\n') : done.said),
      );
    }
    // The pressed button was replaced when the view was rendered again.
    if (document.activeElement === document.body) said.focus();
  }
}

function result(kind, done) {
  if (kind === 'commit') return `Committed ${count(done.files, 'file')}: ${done.revision.slice(0, 10)}`;
  if (kind === 'push') return `Pushed ${done.revision.slice(0, 10)} to ${done.to}`;
  return `Deployed ${count(done.files, 'file')} to ${done.to}: ${done.sent} sent (${size(done.bytes)}), ${done.deleted} deleted`;
}

/** Suggests a commit message from the titles or names of the files. */
function suggested(files) {
  const named = files.filter((file) => file.title);
  const all = (named.length ? named : files).toSorted((a, b) => Object.keys(VERBS).indexOf(a.kind) - Object.keys(VERBS).indexOf(b.kind));
  if (!all.length) return '';
  const [{ kind, title, path }, ...others] = all;
  const name = title?.replace(/\s+/g, ' ') ?? path.split('/').at(-1);
  return `${VERBS[kind]} ${name}${others.length ? ` and ${others.length} more` : ''}`;
}

function change(file, box) {
  const name = element('label', { for: box.id }, element('strong', {}, KINDS[file.kind]), ' ', element('span', { dir: 'auto' }, file.title ?? file.path));
  const diff = element('details', {}, element('summary', {}, file.title ? file.path : 'Changes'));
  diff.append(element('div', { class: 'difference', tabindex: '0', role: 'group', 'aria-label': `Changes in ${file.path}` }, lines(file)));
  return element('div', { class: 'change' }, box, name, diff);
}

/** Returns the lines of a diff, without header lines that only say that a file is new or deleted. */
function lines(file) {
  const names = { '+': 'ins', '-': 'del' };
  const isWhole = file.kind !== 'edited';
  const all = file.diff.split('\n').filter((line) => !(isWhole && /^(@@|(new|deleted) file mode 100644)/.test(line)));
  const shown = all.map((line) => {
    const sign = line[0] === '-' ? '−' : line[0];
    const text = /^[-+ ]/.test(line) ? `${sign} ${line.slice(1)}` : line.replace(/^(@@ .*? @@).*/, '$1');
    return element(names[line[0]] ?? 'span', {}, `${text}\n`);
  });
  return element('pre', {}, ...shown, file.is_cut ? '… the rest is not shown' : '');
}

/** Shows which files a destination would receive and lose. */
function place(plan) {
  const rows = [
    ...plan.put.map((file) => [file.new ? 'New' : 'Changed', file.path, size(file.bytes)]),
    ...plan.delete.map((path) => ['Deleted', path, '']),
  ];
  const left = plan.put_count + plan.delete_count - rows.length;
  const facts = [`${plan.put_count} to send (${size(plan.bytes)})`, `${plan.unchanged} unchanged`, `${plan.delete_count} to delete`];
  if (plan.waiting_count) facts.push(`${plan.waiting_count} old files to delete later`);
  if (plan.others) facts.push(`${plan.others} unrelated files kept`);
  const names = element('ul', { class: 'plain' }, ...rows.map(([what, path, bytes]) => element('li', {}, element('strong', {}, what), ` ${path} `, element('span', { class: 'soft' }, bytes))));
  return element(
    'div',
    { class: 'fields' },
    element('p', {}, `To ${plan.to}: ${facts.join(', ')}. Nothing has been sent yet.`),
    rows.length ? element('details', { open: '' }, element('summary', {}, 'Files'), element('div', { class: 'difference', tabindex: '0', role: 'group', 'aria-label': 'Files' }, names)) : '',
    left ? element('p', { class: 'soft' }, `and ${left} more`) : '',
  );
}

/** Shows why something was not done, and how to fix it. */
function trouble({ message, said, command, found }) {
  return element(
    'div',
    { class: 'trouble' },
    element('p', {}, element('strong', {}, sentence(message))),
    command ? element('pre', {}, command) : '',
    heard(said),
    Array.isArray(found) && found.length ? element('ul', {}, ...found.map((one) => element('li', {}, `${one.file ? `${one.file}: ` : ''}${one.message}`, one.help ? element('p', { class: 'soft' }, one.help) : ''))) : '',
  );
}

const heard = (said) => (said ? element('pre', {}, said) : '');
