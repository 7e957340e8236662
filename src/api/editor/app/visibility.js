// Who can see an item or a page: the sentence about it, and the form that publishes, schedules and takes back.

import { ask } from './server.js';
import { button, element, tell } from './page.js';
import { dateInput, dateKey, localOf, momentOf, parse, wordsOf, write, zoneWords } from './moment.js';

/** Asks what is known about the publishing of a file, and about the workflow's next run after a moment. */
const onlineOf = (path, moment) => ask('online', { path, ...(moment && { after: new Date(moment).toISOString() }) }).catch(() => null);

/** Asks whether the saved file is online, once for each version. */
export async function askOnline(file) {
  const { version } = file.saved;
  if (file.askedFor === version || !file.savedValues || isDraft(file.savedValues)) return;
  file.askedFor = version;
  if (file.online && file.online.state !== 'unknown') file.online.state = 'pending';
  const online = await onlineOf(file.path, parse(file.savedValues[dateKey(file.savedValues)], file.site.time_zone ?? 'UTC'));
  if (file.askedFor !== version) return;
  file.online = online;
  file.tellVisibility();
}

const uncapital = (sentence) => `${sentence[0].toLowerCase()}${sentence.slice(1)}`;

/** Returns whether only the author sees a file with these values. */
export const isDraft = (values) => values.status === 'unpublished' || values.draft === true;

/** Says who can see a saved file. `online` is what the server knows about its publishing. */
function visibilityOf(values, zone, online) {
  if (isDraft(values)) return 'Draft: only you see it.';
  const moment = parse(values[dateKey(values)], zone);
  const run = runOf(online, zone);
  if (moment > Date.now()) {
    const before = run && online.state === 'pending' ? ' Publish the site before that.' : '';
    return `Scheduled: goes online with the ${run || `first publishing after ${wordsOf(moment, zone)}`}.${before}`;
  }
  // The server has not answered yet.
  if (online === undefined) return '';
  const who = values.status === 'unlisted' ? ' for people with the link' : '';
  if (online?.state === 'online') return `Online${who}.`;
  if (online?.state === 'sent') return `Sent to your host${who}: ${online.schedule.on_push || !run ? 'online when your workflow has run' : `goes online with the ${run}`}.`;
  if (online?.state !== 'pending') return `Saved${who}; goes online after the next publishing.`;
  return `Saved${who}; goes online with the ${publishingBefore(online, run)}.`;
}

/** Names what brings a change online: publishing, and a run of the workflow unless a push starts it. */
const publishingBefore = (online, run) => (run && !online.schedule.on_push ? `next publishing and then the ${run}` : 'next publishing');

/** Names the next run of the workflow that publishes the site, or returns nothing. */
function runOf(online, zone) {
  const next = online?.schedule?.next;
  return next ? `next deploy by your workflow on ${wordsOf(Date.parse(next), zone)}` : '';
}

/** Returns the name and the consequence of publishing with a date. Without a date, it is the time of the click. */
function publishingAt(moment, held, zone, wasDraft, online) {
  const run = runOf(online, zone);
  const isFuture = moment > Date.now();
  if (isFuture) {
    const before = wasDraft ? '' : ' If it is online already, the next publishing hides it until then.';
    return ['Schedule', `Goes online with the ${run || `first publishing after ${wordsOf(moment, zone)}`}.${before}`];
  }
  const then = publishingBefore(online, run);
  if (Number.isNaN(moment)) return ['Publish now', `Goes online with the ${then}.`];
  if (wasDraft || held > Date.now()) return ['Publish now', `Goes online with the ${then}, dated ${wordsOf(moment, zone)}.`];
  return ['Save the date', 'The next publishing shows this date.'];
}

const dateOf = ({ values, site }) => {
  const [key, zone] = [dateKey(values), site.time_zone ?? 'UTC'];
  return { key, zone, held: parse(values[key], zone) };
};

/** Says who can see a file, what publishing it does, and names the buttons after it. */
export function showVisibility(file, isPublishing) {
  const { held, zone } = dateOf(file);
  const { visibility, publishButton, dateButton, isDraft, isParsed } = file;
  const [name, then] = publishingAt(held, held, zone, true, file.online);
  const words = file.savedValues ? visibilityOf(file.savedValues, zone, file.online) : '';
  const consequence = words && isDraft ? ` ${name}: ${uncapital(then)}` : '';
  const back = file.draftValues && !isDraft ? [' ', button('Back to draft', () => backToDraft(file), 'quiet small')] : [];
  // A space reserves a line until the server has answered.
  const all = element('p', {}, words || (file.savedValues ? '\u00a0' : ''), consequence, ...back);
  if (visibility.textContent !== all.textContent) visibility.replaceChildren(...all.childNodes);
  publishButton.hidden = !isParsed || (isPublishing && isDraft);
  dateButton.hidden = !isParsed || isPublishing || !isDraft;
  publishButton.textContent = isDraft ? name : 'Visibility';
  dateButton.textContent = name === 'Schedule' ? 'Change the date' : 'Schedule';
}

/** Publishes a draft with the date that it has, or now. Nobody sees it before the site is published, so it can be taken back. */
export async function publishNow(file) {
  const { key, held, zone } = dateOf(file);
  const [name, then] = publishingAt(held, held, zone, true, file.online);
  const before = Object.fromEntries([key, 'status', 'draft', 'slug'].map((own) => [own, file.values[own] ?? null]));
  await apply(file, { key, status: null });
  if (!isDraft(file.values) && file.isSaved) {
    file.draftValues = before;
    tell(`${name === 'Schedule' ? 'Scheduled' : 'Published'}: ${uncapital(then)}`);
  }
  file.tellState();
}

/** Makes a file that was just published the draft that it was. */
async function backToDraft(file) {
  for (const [key, value] of Object.entries(file.draftValues)) {
    if ((file.values[key] ?? null) !== value) await file.edit([key], value);
  }
  file.draftValues = null;
  await file.save();
}

/** Shows the form that publishes a file. */
export function askToPublish(file) {
  const wasDraft = isDraft(file.values);
  const { key, zone, held } = dateOf(file);
  const date = dateInput();
  Object.assign(date, { id: 'published-from', value: localOf(held, zone) });
  date.setAttribute('aria-describedby', 'published-zone');
  const isSame = () => date.value === localOf(held, zone);
  const chosen = () => (isSame() ? held : momentOf(date.value, zone));
  const go = element('button', { 'aria-describedby': 'published-then' });
  const consequence = element('p', { id: 'published-then', 'aria-live': 'polite' });
  let online = file.online;
  const say = () => ([go.textContent, consequence.textContent] = publishingAt(chosen(), held, zone, wasDraft, online));
  const show = async () => {
    say();
    const moment = chosen();
    if (!online?.schedule || !(moment > Date.now())) return;
    // The workflow runs at certain times: the first one after the date counts.
    const known = await onlineOf(file.path, moment);
    if (chosen() === moment) online = known;
    say();
  };
  const act = async (status) => {
    if (!date.reportValidity()) return;
    const moment = chosen();
    // The server writes the current time when it publishes a file without a date.
    const isNow = Number.isNaN(moment) && status === null && !(wasDraft && Number.isNaN(held));
    const text = isNow ? write(Date.now(), zone, file.values[key]) : Number.isNaN(moment) ? null : write(moment, zone, file.values[key]);
    await apply(file, { key, status, text: isSame() && !isNow ? undefined : text });
  };
  const keep = button('Save as draft', () => act('unpublished'));
  keep.setAttribute('aria-describedby', 'kept-then');
  const form = element(
    'form',
    { class: 'publishing', 'aria-labelledby': 'publishing' },
    element('h2', { id: 'publishing' }, wasDraft ? 'Publish' : 'Visibility'),
    element('div', { class: 'field' }, element('label', { for: date.id }, 'Readers see it from'), date, element('p', { class: 'help', id: 'published-zone' }, `Leave it empty to publish at once. ${zoneWords(zone)}`)),
    element('div', { class: 'choice' }, go, consequence),
    element('div', { class: 'choice' }, keep, element('p', { id: 'kept-then' }, wasDraft ? 'Only you see it. Nothing goes online.' : 'Only you see it. If it is online, the next publishing removes it.')),
    element('div', { class: 'choice' }, button('Cancel', () => file.closePublishing())),
  );
  date.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act(file.values.status === 'unlisted' ? 'unlisted' : null);
  });
  show();
  file.open('publish', [form]);
  date.focus();
}

/**
 * Changes the date and the status, and saves the file, when its uploads are complete. The form stays if an upload, a
 * change or the save fails.
 */
async function apply(file, { key, status, text }) {
  if (status !== 'unpublished' && !(await isUploaded(file))) return;
  file.draftValues = null;
  if (text !== undefined && text !== (file.values[key] ?? null)) await file.edit([key], text);
  if ((file.values.status ?? null) !== status) await file.edit(['status'], status);
  if ('draft' in file.values) await file.edit(['draft'], null);
  if (isDraft(file.values) !== (status === 'unpublished')) return;
  // A running save may have an older text.
  for (let tries = 0; tries < 2 && !file.isSaved; tries += 1) await file.save();
  if (file.isSaved) file.closePublishing();
}

/** Waits until all files of a document are uploaded. Returns whether they are. */
async function isUploaded(file) {
  if (file.sending.isBusy()) tell('It will be published when the upload is complete.');
  const isComplete = await file.sending.finish();
  await file.handed;
  tell(isComplete ? '' : 'Not published: a file was not uploaded. Add it again, or close its message.');
  return isComplete;
}
