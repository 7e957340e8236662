// Publishing with one button: the changes in words, and what came of it.

import { button, element } from './page.js';
import { wordsOf } from './moment.js';
import { address } from './list.js';
import { capital, count } from './navigation.js';
import { unsaved } from './publish_steps.js';
import { diffOf, heard, inOrder, inWords, suggested, timeOf, trouble, whatOf } from './publish_words.js';

// Maximum number of changes to list.
const MOST = 50;

const CONTINUE = 'Nothing is lost. “Publish” continues with the steps that are left.';

/** Shows the changes, and the button that publishes them. */
export function showSummary(view, now) {
  const { summary, steps, how, last, show, apart } = now;
  const { changes, files, is_first: isFirst } = summary;
  const words = changes.length ? inWords(changes) : '';
  const areDrafts = changes.length > 0 && changes.every(({ what }) => what === 'draft');
  const message = element('textarea', { id: 'version-message', rows: '2', dir: 'auto', spellcheck: 'true', maxlength: '10000' });
  message.value = view.note ?? (isFirst ? `Publish ${show ?? 'the site'}` : suggested(changes));
  message.addEventListener('input', () => (view.note = message.value || null));
  const go = button(nameOf(words, areDrafts, now), () => view.publish(), 'primary');
  go.disabled = now.errors > 0 || !steps.length;
  view.publish = (more = {}) => view.begin('publish-all', { seen: summary.seen, message: message.value, ...more });
  const link = element('a', { href: now.url, target: '_blank', rel: 'noopener' }, now.url);
  const place = show ? ['The show “', element('bdi', {}, show), '” lives at '] : ['Your site lives at '];
  view.top.replaceChildren(
    element('h2', {}, headingOf(words, areDrafts, isFirst, steps)),
    element('p', { class: 'soft' }, ...place, link, how === 'push' ? ', and your git host builds it. ' : '. ', ...(last ? ['Last published ', timeOf(last), '.'] : ['It was not published from this computer yet.'])),
    changes.length ? element('ul', { class: 'plain entries' }, ...changes.toSorted(inOrder).slice(0, MOST).map((change) => entry(change, { files, isFirst, isSent: steps.includes('push') }))) : '',
    changes.length > MOST ? element('p', { class: 'soft' }, `and ${count(changes.length - MOST, 'more', 'more')}`) : '',
    apart.length ? element('p', { class: 'soft' }, `To publish these shows, choose them under “Show”: ${apart.join(', ')}`) : '',
    unsaved(view),
    now.errors ? element('p', { class: 'wrong' }, `${count(now.errors, 'error')} in the site ${now.errors === 1 ? 'prevents' : 'prevent'} publishing: `, element('a', { href: '#/faults' }, 'see Problems')) : '',
    element('div', { class: 'tools' }, go),
    view.said('main'),
    element(
      'details',
      { class: 'group' },
      element('summary', {}, 'Details'),
      element('p', {}, `Steps: ${steps.join(', ') || 'none'}.`),
      steps.includes('commit') ? element('div', { class: 'field' }, element('label', { for: message.id }, 'Note for the history'), message) : '',
      element('div', { class: 'tools' }, button('Test the connection', () => view.begin('setup-test')), show ? '' : button('Change where the site lives', () => view.change(true))),
    ),
  );
}

function nameOf(words, areDrafts, { summary, steps, show }) {
  if (summary.is_first) return show ? 'Publish this show' : 'Publish your site';
  if (areDrafts) return `Store ${words}`;
  if (words) return `Publish ${words}`;
  return steps.includes('deploy') && steps.length === 1 ? 'Publish again' : 'Publish';
}

function headingOf(words, areDrafts, isFirst, steps) {
  if (isFirst) return words ? `Ready for the first time: ${words}` : 'Ready for the first time';
  if (areDrafts) return `Nothing new for readers: ${words}`;
  if (words) return `Not published yet: ${words}`;
  return steps.some((name) => name !== 'deploy') ? 'Almost done' : 'Everything is published';
}

function entry(change, { files, isFirst, isSent }) {
  const { what, title, path, noun } = change;
  const kind = what === 'draft' ? 'Draft' : capital(`${whatOf(change)} ${noun}`);
  const hides = what === 'draft' ? element('span', { class: 'soft' }, `stays invisible on the site${isSent ? '; who can read the repository can read it' : ''}`) : '';
  const isOpen = /^(content|shows\/[^/]+)\/.*\.(md|html)$/.test(path) && what !== 'removed';
  const name = element(isOpen ? 'a' : 'span', { dir: 'auto', ...(isOpen && { href: address(path) }) }, title ?? path);
  const own = change.files.map((at) => files[at]);
  const diffs = own.map((file) => [element('p', { class: 'soft' }, file.path), diffOf(file)]).flat();
  const more = own.length && !isFirst ? element('details', {}, element('summary', {}, count(own.length, 'file')), ...diffs) : '';
  return element('li', {}, element('strong', {}, kind), ' ', name, ' ', hides, more);
}

/** Returns what a finished task did, and what the person does next. */
export function published(view, { kind, done }, before) {
  if (kind === 'combine') return [element('p', {}, 'This computer has all changes now. Look at the list, then publish.')];
  if (kind === 'setup') return ready(view, done);
  const link = element('a', { href: done.url, target: '_blank', rel: 'noopener' }, done.url);
  const { schedule, to, summary } = before;
  const when = schedule?.next && wordsOf(Date.parse(schedule.next), view.site.time_zone ?? 'UTC');
  const isBranch = to?.startsWith('git:');
  const words = done.host_builds
    ? schedule?.on_push || !when
      ? ['Sent. Your host builds it now: usually online within a few minutes at ', link]
      : [`Sent. Your workflow publishes it on ${when} at `, link]
    : isBranch
      ? ['Sent. Your host shows it within a few minutes at ', link]
      : ['Online at ', link];
  view.note = null;
  const altered = done.commit?.otherwise?.length ? element('p', { class: 'wrong' }, `A hook or a save changed these files meanwhile: ${done.commit.otherwise.join(', ')}`) : '';
  const last = isBranch && summary?.is_first ? element('p', {}, `Once, at your host: in the settings of the repository, open Pages, and choose the branch ${to.split('#')[1]}.`) : '';
  return [element('p', {}, element('strong', {}, ...words)), last, altered];
}

function ready(view, done) {
  const files = done?.put ? ` ${count(done.put, 'file')} will be sent.` : '';
  const remaining = view.remaining?.length ? element('p', {}, `Only you can do the rest, at your host: ${view.remaining.join(', then ')}.`) : '';
  return [element('p', {}, `Ready: the test found nothing wrong.${files}`), remaining];
}

/** Returns why a task failed, and what a person can do. */
export function choices(view, { kind, trouble: reasons }) {
  const again = button('Test again', () => view.begin('setup-test'));
  const change = button('Change the settings', () => view.change(true));
  if (reasons.reason === 'behind') {
    const deploys = view.state.now.steps?.includes('deploy') && kind === 'publish';
    const { command, said } = reasons;
    return [
      element(
        'div',
        { class: 'trouble' },
        element('p', {}, element('strong', {}, 'The site was changed elsewhere, and this computer does not have these changes yet.')),
        element('p', {}, `They may come from another computer, or from the page of your git host. Nothing is lost. You can get them, which combines both versions${deploys ? ', or publish the version of this computer' : ''}.`),
        element('div', { class: 'tools' }, button('Get these changes first', () => view.begin('publish-combine'), ''), deploys ? button('Publish without them', () => view.publish({ skips_push: true })) : ''),
        element('details', {}, element('summary', {}, 'For a helper, in a terminal'), element('pre', {}, command), heard(said)),
      ),
    ];
  }
  const told = trouble(reasons);
  if (kind === 'setup') return [told, element('div', { class: 'tools' }, again, change)];
  return kind === 'publish' ? [told, element('p', {}, CONTINUE)] : [told];
}
