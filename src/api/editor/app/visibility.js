// Who can see an item or a page: the sentence about it, and the form that publishes, schedules and takes back.

import { button, element, tell } from './page.js';
import { dateInput, dateKey, localOf, momentOf, parse, wordsOf, write, zoneWords } from './moment.js';

/** Returns whether only the author sees a file with these values. */
export const isDraft = (values) => values.status === 'unpublished' || values.draft === true;

/** Says who can see a saved file, as far as it is known here: whether it was deployed is not. */
function visibilityOf(values, zone) {
  if (isDraft(values)) return 'Draft: only you see it.';
  const moment = parse(values[dateKey(values)], zone);
  if (moment > Date.now()) return `Scheduled: goes online with the first deploy after ${wordsOf(moment, zone)}.`;
  const who = values.status === 'unlisted' ? 'for people with the link' : 'here';
  return `Published ${who}. Changes go online with the next deploy.`;
}

/** Returns the name and the consequence of publishing with a date. Without a date, it is the time of the click. */
function publishingAt(moment, held, zone, wasDraft) {
  const isFuture = moment > Date.now();
  if (isFuture) {
    const before = wasDraft ? '' : ' If it is online already, the next deploy hides it until then.';
    return ['Schedule', `Goes online with the first deploy after ${wordsOf(moment, zone)}.${before}`];
  }
  if (Number.isNaN(moment)) return ['Publish now', 'Goes online with the next deploy.'];
  if (wasDraft || held > Date.now()) return ['Publish now', `Goes online with the next deploy, dated ${wordsOf(moment, zone)}.`];
  return ['Save the date', 'The next deploy shows this date.'];
}

const dateOf = ({ values, site }) => {
  const [key, zone] = [dateKey(values), site.time_zone ?? 'UTC'];
  return { key, zone, held: parse(values[key], zone) };
};

/** Says who can see a file, what publishing it does, and names the buttons after it. */
export function showVisibility(file, isPublishing) {
  const { held, zone } = dateOf(file);
  const { visibility, publishButton, dateButton, isDraft, isParsed } = file;
  const [name, then] = publishingAt(held, held, zone, true);
  const words = file.savedValues ? visibilityOf(file.savedValues, zone) : '';
  const consequence = words && isDraft ? ` ${name}: ${then[0].toLowerCase()}${then.slice(1)}` : '';
  const back = file.draftValues && !isDraft ? [' ', button('Back to draft', () => backToDraft(file), 'quiet small')] : [];
  const all = element('p', {}, words, consequence, ...back);
  if (visibility.textContent !== all.textContent) visibility.replaceChildren(...all.childNodes);
  publishButton.hidden = !isParsed || (isPublishing && isDraft);
  dateButton.hidden = !isParsed || isPublishing || !isDraft;
  publishButton.textContent = isDraft ? name : 'Visibility';
  dateButton.textContent = name === 'Schedule' ? 'Change the date' : 'Schedule';
}

/** Publishes a draft with the date that it has, or now. Nobody sees it before the next deploy, so it can be taken back. */
export async function publishNow(file) {
  const { key } = dateOf(file);
  const before = Object.fromEntries([key, 'status', 'draft', 'slug'].map((name) => [name, file.values[name] ?? null]));
  await apply(file, { key, status: null });
  if (!isDraft(file.values)) file.draftValues = before;
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
  const show = () => ([go.textContent, consequence.textContent] = publishingAt(chosen(), held, zone, wasDraft));
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
    element('div', { class: 'choice' }, keep, element('p', { id: 'kept-then' }, wasDraft ? 'Only you see it. Nothing goes online.' : 'Only you see it. If it is online, the next deploy removes it.')),
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
