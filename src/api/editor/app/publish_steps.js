// The steps of publishing, each alone: shows what a commit, a push or a deploy would do, and runs it.

import { button, element } from './page.js';
import { keptPaths } from './kept.js';
import { count } from './navigation.js';
import { diffOf, heard, size, suggested, trouble } from './publish_words.js';

const KINDS = { added: 'New', edited: 'Changed', deleted: 'Deleted' };

export function showSteps(view, { commit, push, deploy }) {
  showCommit(view, commit);
  showPush(view, push, commit);
  showDeploy(view, deploy);
}

function fill(view, name, heading, ...children) {
  view.parts[name].replaceChildren(element('h2', { id: `${name}-name` }, heading), ...children, view.said(name));
}

function showCommit(view, commit) {
  if (commit.trouble) return fill(view, 'commit', 'Commit', trouble(commit.trouble));
  const { files, branch } = commit;
  const left = commit.left_out ? element('p', { class: 'soft' }, `${count(commit.left_out, 'other file')} cannot be shown here: commit them in a terminal.`) : '';
  if (!files.length) return fill(view, 'commit', `Commit to ${branch}`, element('p', {}, 'Nothing changed since the last commit.'), left);
  const message = element('textarea', { id: 'message', rows: '2', dir: 'auto', spellcheck: 'true', maxlength: '10000' });
  const submit = element('button', {}, 'Commit');
  const boxes = files.map((file, at) => {
    const box = element('input', { type: 'checkbox', id: `file-${at}` });
    box.checked = view.chosen.get(file.path) ?? file.is_content;
    box.addEventListener('change', () => view.chosen.set(file.path, box.checked));
    return box;
  });
  const chosen = () => files.filter((_, at) => boxes[at].checked);
  const say = () => {
    if (view.typed === null) message.value = chosen().length ? suggested(chosen()) : '';
    submit.textContent = `Commit ${count(chosen().length, 'file')}`;
  };
  message.addEventListener('input', () => (view.typed = message.value || null));
  message.value = view.typed ?? '';
  const toggle = button('Select all or none', () => {
    const all = boxes.every((box) => box.checked);
    boxes.forEach((box, at) => view.chosen.set(files[at].path, (box.checked = !all)));
    say();
  });
  const form = element(
    'form',
    { class: 'fields' },
    element('fieldset', { class: 'changes' }, element('legend', {}, `${count(files.length, 'file')} changed`), ...files.map((file, at) => change(file, boxes[at]))),
    left,
    unsaved(view),
    element('div', { class: 'field' }, element('label', { for: 'message' }, 'Message'), message),
    element('div', { class: 'tools' }, submit, files.length > 1 ? toggle : ''),
  );
  form.addEventListener('change', say);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wished = chosen().map(({ path, version }) => ({ path, version }));
    view.begin('publish-commit', { message: message.value, files: wished });
  });
  say();
  fill(view, 'commit', `Commit to ${branch}`, form);
}

/** Names the unsaved texts in this browser, which are not published. */
export function unsaved(view) {
  const paths = keptPaths();
  const name = (path) => view.site.files.find((file) => file.path === path)?.title || path;
  return paths.length ? element('p', { class: 'wrong' }, `Unsaved changes, which are not included: ${paths.map(name).join(', ')}`) : '';
}

function showPush(view, push, commit) {
  if (push.trouble) {
    // The commit section already shows this problem.
    const isSame = push.trouble.message === commit.trouble?.message;
    return fill(view, 'push', 'Push', isSame ? element('p', { class: 'soft' }, 'Fix the problem above first.') : trouble(push.trouble));
  }
  const behind = push.behind ? element('p', {}, `${push.to} has ${count(push.behind, 'commit')} that you do not have.`) : '';
  const where = element('p', { class: 'soft' }, push.url);
  if (!push.ahead) return fill(view, 'push', `Push to ${push.to}`, where, element('p', {}, 'Nothing to push: the remote has all commits, according to the last fetch or push.'), behind);
  const start = button(`Push ${count(push.ahead, 'commit')}`, () => view.begin('publish-push', { revision: push.revision, to: push.to }), '');
  const commits = push.commits.map((one) => element('li', {}, element('code', {}, one.short), ' ', element('span', { dir: 'auto' }, one.subject)));
  const more = push.ahead > commits.length ? element('p', { class: 'soft' }, `and ${push.ahead - commits.length} more`) : '';
  fill(view, 'push', `Push to ${push.to}`, where, element('ul', { class: 'plain' }, ...commits), more, behind, element('div', { class: 'tools' }, start));
}

function showDeploy(view, deploy) {
  if (deploy.trouble) return fill(view, 'deploy', 'Deploy', trouble(deploy.trouble));
  const look = button('Make a plan', () => view.begin('publish-plan'));
  fill(view, 'deploy', 'Deploy', element('p', {}, `To ${deploy.to}. The site is built first.`), element('div', { class: 'tools' }, look));
}

/** Shows the plan of a deploy, and the button that starts the deploy. */
export function showPlan(view, plan) {
  const start = button('Deploy', () => view.begin('publish-deploy', { serial: plan.serial }), '');
  view.said('deploy').replaceChildren(...[plan.media, plan].filter(Boolean).map(place), element('div', { class: 'tools' }, start));
}

/** Returns what a commit, a push or a deploy did. */
export function ended({ kind, done }) {
  const altered = done.otherwise?.length ? element('p', { class: 'wrong' }, `Committed with different content than shown, because a hook or a save changed it: ${done.otherwise.join(', ')}`) : '';
  // For a push, shows only the messages of the remote. The rest is already shown above.
  return [element('p', {}, result(kind, done)), altered, heard(kind === 'push' ? done.said.split('\n').filter((line) => line.startsWith('remote:')).join('\n') : done.said)];
}

function result(kind, done) {
  if (kind === 'commit') return `Committed ${count(done.files, 'file')}: ${done.revision.slice(0, 10)}`;
  if (kind === 'push') return `Pushed ${done.revision.slice(0, 10)} to ${done.to}`;
  return `Deployed ${count(done.files, 'file')} to ${done.to}: ${done.sent} sent (${size(done.bytes)}), ${done.deleted} deleted`;
}

function change(file, box) {
  const name = element('label', { for: box.id }, element('strong', {}, KINDS[file.kind]), ' ', element('span', { dir: 'auto' }, file.title ?? file.path));
  return element('div', { class: 'change' }, box, name, element('details', {}, element('summary', {}, file.title ? file.path : 'Changes'), diffOf(file)));
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
