// The order of the fields: what an author thinks of first is around the text, and the rest is in groups under "More".

import { kindOf } from './media.js';
import { element } from './page.js';

/** The fields before and after the text. Fields in a list of their own are side by side. */
const MAIN = {
  episode: {
    before: ['attachment', 'podcast.chapters', 'title', ['podcast.season', 'podcast.episode']],
    after: ['image', 'podcast.people', 'podcast.transcripts', 'tags', 'date_published'],
  },
  photo: { before: ['attachment', 'title', 'image.alt'], after: ['tags', 'date_published'] },
  post: { before: ['title'], after: ['image', 'tags', 'date_published'] },
  page: { before: ['title'], after: ['meta_description', 'show_in_navigation'] },
  channel: { before: ['title', 'icon'], after: ['language', 'authors', 'subscribe_methods', 'podcast.funding'] },
  event: { before: ['summary'], after: ['start', 'end', 'recurrence', 'location', 'status', 'visibility'] },
  calendar: { before: ['summary'], after: ['timeZone', 'primary', 'public', 'description', 'location'] },
};

/** The groups under "More". A group without the fields of its own table has only the fields that it names. */
const GROUPS = [
  ['Address and language', ['slug', 'status', 'language', 'translations', 'aliases', 'url']],
  ['Menu of the site', ['navigation_label', 'navigation_order', 'navigation_group']],
  ['Search engines and sharing', ['summary', 'image', 'description', 'banner_image', 'favicon'], 'seo'],
  ['Apple Podcasts', ['itunes.explicit', 'itunes.episodeType', 'itunes.type', 'categories', 'itunes.title', 'itunes.season', 'itunes.episode', 'itunes.email'], 'itunes'],
  [
    'Podcast details',
    ['podcast.season', 'podcast.season.name', 'podcast.episode', 'podcast.episode.display', 'podcast.people', 'podcast.chapters', 'podcast.transcripts', 'podcast.license', 'podcast.locations', 'podcast.contentLinks', 'podcast.soundbites', 'podcast.trailers', 'podcast.funding'],
    'podcast',
  ],
  ['Advanced', ['authors', 'publisher', 'homepage_url', 'copyright', 'date_published', 'date_modified', 'date_created', 'attachment'], ''],
];

// Tables whose fields are placed individually.
export const TABLES = ['itunes', 'podcast', 'seo'];

// Fields that only their author's tools need. They come last.
const LAST = ['id', 'guid', 'allow'];

/** Details of a field that are placed on their own, instead of folded below the field. */
const APART = ['attachment.category', 'attachment.duration_in_seconds', 'attachment.mime_type', 'attachment.size_in_bytes', 'podcast.season.name', 'podcast.episode.display'];

/** Returns whether a detail of a field has a place of its own in a form. */
export const isApart = (form, path) => APART.includes(path) || (form === 'photo' && path === 'image.alt');

const FORMS = { audio: 'episode', video: 'episode', image: 'photo' };

/**
 * Returns the form of a file: what an item is to its author, or the kind of the file. A draft that waits for its
 * recording or photo has the form that the server found.
 */
export function formNameOf(kind, { attachment, podcast, itunes }, known) {
  if (kind !== 'item') return kind;
  const own = FORMS[kindOf(attachment?.url ?? attachment)];
  return own ?? (podcast?.episode ?? itunes?.episode ? 'episode' : (known ?? 'post'));
}

/** Returns a folded group of related fields. */
export const group = (name, fields) => {
  const inner = element('div', { class: 'fields', role: 'group', 'aria-label': name }, ...fields);
  return element('details', { class: 'group' }, element('summary', {}, name), inner);
};

/** Arranges fields, a map from paths to elements. Returns those before the text, and those after it. */
export function arrange(form, fields) {
  const left = new Map(fields);
  const take = (path) => {
    if (Array.isArray(path)) return pair(path.map(take).filter(Boolean));
    const field = left.get(path);
    left.delete(path);
    return field;
  };
  const { before, after } = MAIN[form] ?? { before: [], after: [] };
  const main = [before, after].map((paths) => paths.map(take).filter(Boolean));
  return { before: main[0], after: [...main[1], ...more(form, left, take)] };
}

const pair = (fields) => (fields.length ? element('div', { class: 'pair' }, ...fields) : null);

/** Returns the other fields, in groups. Events and calendars have one group. */
function more(form, left, take) {
  if (['event', 'calendar'].includes(form)) {
    const folded = element('details', { class: 'more' }, element('summary', {}, 'More fields'));
    folded.append(...sorted([...left.keys()]).map(take));
    return [folded];
  }
  const groups = GROUPS.map(([name, first, table]) => {
    const own = first.map(take).filter(Boolean);
    const rest = [...left.keys()].filter((path) => table === '' || path.startsWith(`${table}.`));
    return [name, [...own, ...sorted(rest).map(take)]];
  });
  const shown = groups.filter(([, inner]) => inner.length).map(([name, inner]) => group(name, inner));
  return shown.length ? [element('section', { class: 'more', 'aria-labelledby': 'more-fields' }, element('h2', { id: 'more-fields' }, 'More'), ...shown)] : [];
}

const sorted = (paths) => paths.toSorted((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
