// The words of the form: the names of fields, their help, and the names of choices. A field without help here keeps the
// description of the schema.

/** Names and help by the keys of a field. A name such as `page:date_published` is for one kind of file. */
const LABELS = {
  attachment: ['Recording', 'The audio or video file that people play.'],
  'photo:attachment': ['Picture', 'The photo in full size.'],
  'post:attachment': ['Attached file', 'A recording, a PDF or another file that belongs to the post.'],
  'attachment.category': ['Kind of file', 'Only needed if the kind is recognised wrongly.'],
  'attachment.duration_in_seconds': ['Length in seconds', 'Only needed for a file on another site.'],
  'attachment.mime_type': ['File type', 'Only needed for a file on another site, such as “audio/mpeg”.'],
  'attachment.size_in_bytes': ['Size in bytes', 'Only needed for a file on another site.'],
  title: ['Title', ''],
  'episode:title': ['Title', 'Without the number: podcast apps show it separately.'],
  'photo:title': ['Caption', 'A title or a short sentence; leave it empty for a photo without words.'],
  'channel:title': ['Name', 'The name of your show or site.'],
  image: ['Cover', 'Shown in lists, in apps and when somebody shares a link.'],
  'photo:image': ['Picture in lists', 'The photo for lists and feeds, with the words that describe it.'],
  '*.alt': ['Alternative text', 'Describe the picture for people who cannot see it.'],
  banner_image: ['Wide picture', 'Shown above the text.'],
  icon: ['Artwork', 'A square picture of at least 1400 × 1400 pixels for apps and lists.'],
  favicon: ['Browser icon', 'The small picture in browser tabs.'],
  summary: ['Summary', 'One or two sentences for lists; without it, the text’s beginning is used.'],
  description: ['Short description', 'Only used if the text above is empty.'],
  tags: ['Tags', 'Words that group what belongs together, separated by commas.'],
  status: ['Who can see it', 'People with the link can open what no list shows.'],
  date_published: ['Date', 'The day and the time that readers see.'],
  'page:date_published': ['Date', 'A page with a later date is hidden until then.'],
  date_modified: ['Last change', 'Shown to readers if you changed something important.'],
  date_created: ['Created', 'Never shown.'],
  slug: ['Web address', 'The last part of the address; changing it breaks links unless you add the old one below.'],
  aliases: ['Former addresses', 'Old addresses that lead here, separated by commas.'],
  language: ['Language', 'A code such as “en” or “pt-BR”, if it differs from the rest of the site.'],
  'channel:language': ['Language', 'A code such as “en”, “de” or “pt-BR”.'],
  translations: ['Translations', 'The web addresses of the same text in other languages, separated by commas.'],
  url: ['Link to another page', 'The title then leads to this page on another site.'],
  authors: ['Authors', 'Only needed if they differ from the authors of the site.'],
  'channel:authors': ['Authors', 'Who makes the show or writes the site.'],
  'authors.name': ['Name', ''],
  'authors.url': ['Web page', 'A page about the author.'],
  'authors.type': ['Kind', 'A person, unless you choose an organization.'],
  id: ['Permanent ID', 'Apps recognise it by this; do not change it.'],
  guid: ['ID in podcast apps', 'Only for an episode that was published somewhere else before.'],
  allow: ['Ignored warnings', 'Warnings that you do not want to see for this.'],
  meta_description: ['Description in search results', 'One or two sentences; without them, the text’s beginning is used.'],
  show_in_navigation: ['Show in the menu', 'Whether the menu of the site links to this page.'],
  navigation_label: ['Name in the menu', 'A shorter name, if the title is too long for the menu.'],
  navigation_order: ['Position in the menu', 'Lower numbers come first.'],
  navigation_group: ['Group in the menu', 'Pages with the same group are shown together.'],
  'seo.title': ['Title in search results', 'Only needed if it differs from the title above.'],
  'seo.description': ['Description in search results', 'Only needed if it differs from the summary.'],
  'seo.social_image': ['Picture of shared links', 'Best with 1200 × 630 pixels.'],
  'itunes.explicit': ['Sensitive content', 'Whether it is only for adults.'],
  'itunes.block': ['Hide from Apple Podcasts', 'Everywhere else it stays visible.'],
  'itunes.episodeType': ['Kind of episode', 'A full episode, unless you choose another kind.'],
  'itunes.type': ['Order of episodes', 'Whether new listeners begin with the newest or with the first episode.'],
  'itunes.title': ['Title in Apple Podcasts', 'Only needed if it differs.'],
  'itunes.episode': ['Episode number for Apple', 'Only needed if it differs.'],
  'itunes.season': ['Season number for Apple', 'Only needed if it differs.'],
  'itunes.complete': ['The show has ended', 'No more episodes will follow.'],
  'itunes.email': ['E-mail address', 'Everybody can read it in the feed.'],
  'itunes.new-feed-url': ['New feed address', 'Only if the show moves to another site.'],
  categories: ['Categories', 'Topics in podcast directories, such as “Arts” or “Education > How To”.'],
  'podcast.season': ['Season', ''],
  'podcast.season.name': ['Name of the season', 'Shown by some apps instead of the number.'],
  'podcast.episode': ['Episode', ''],
  'podcast.episode.display': ['Number as text', 'Shown by some apps instead of the number.'],
  'podcast.people': ['People', 'Hosts, guests and everybody else who takes part.'],
  'channel:podcast.people': ['People', 'Hosts and everybody who is part of each episode.'],
  'podcast.people.name': ['Name', ''],
  'podcast.people.role': ['Role', 'Such as “host” or “guest”.'],
  'podcast.people.group': ['Area', 'Such as “cast” or “audio production”.'],
  'podcast.people.href': ['Web page', 'A page about this person.'],
  'podcast.people.img': ['Picture', 'A portrait.'],
  'podcast.chapters': ['Chapters', 'Parts of the recording, so that listeners can jump to them.'],
  'podcast.chapters.startTime': ['Start', ''],
  'podcast.chapters.title': ['Title', ''],
  'podcast.transcripts': ['Transcript', 'What is said, as a file: listeners can read and search it.'],
  'podcast.transcripts.url': ['File', ''],
  'podcast.funding': ['Ways to support you', 'Pages where people can give money.'],
  'podcast.license': ['License', 'What others may do with the recording.'],
  'podcast.locations': ['Places', 'Places that it is about.'],
  'podcast.soundbites': ['Highlights', 'Short passages that make people curious.'],
  'podcast.contentLinks': ['Also on', 'Pages with the same content, such as a video site.'],
  'podcast.socialInteract': ['Comments', 'A post whose replies are the comments.'],
  'podcast.alternateEnclosures': ['Other versions', 'The same recording in other formats.'],
  'podcast.images': ['More pictures', 'Pictures in other sizes and for other uses.'],
  'podcast.locked': ['Protect from import', 'Whether other services may import the show.'],
  'podcast.trailers': ['Trailers', 'Short introductions to the show or a season.'],
  'podcast.podroll': ['Recommended shows', 'Podcasts that you recommend.'],
  'podcast.medium': ['Kind of feed', 'A podcast, unless you choose another kind.'],
  'podcast.block': ['Hidden from services', 'Services that must not list the show.'],
  subscribe_methods: ['Ways to follow', 'Apps, directories and newsletters where people follow you.'],
  homepage_url: ['Main website', 'Only if your main website is another one.'],
  copyright: ['Copyright', 'Without it, the year and your name are shown.'],
  publisher: ['Publisher', 'Only if it is not the author.'],
  expired: ['The site has ended', 'Nothing will be added again.'],
};

/** Names of fields that are only known by their last key. */
const NAMES = { guid: 'GUID', href: 'Web address', iCalUID: 'iCalUID', img: 'Picture', recurrence: 'Repeats', txt: 'Texts for programs', url: 'Address' };

/** Names of the choices of a field. */
const CHOICES = {
  status: { published: 'Everybody', unlisted: 'Only people with the link', unpublished: 'Only you (draft)' },
  'itunes.episodeType': { full: 'Full episode', trailer: 'Trailer', bonus: 'Bonus' },
  'itunes.type': { episodic: 'Newest first', serial: 'First episode first' },
  'authors.type': { Person: 'Person', Organization: 'Organization' },
  'attachment.category': { audio: 'Audio', video: 'Video', document: 'Document', image: 'Picture', external_url: 'Other page' },
};

const written = (keys) => keys.filter((key) => typeof key === 'string').join('.');

const isDated = (form) => ['event', 'calendar'].includes(form);

/** Returns the entry of a field: for this kind of form, for all forms, or for the last keys in any table. */
function entryOf(form, keys) {
  const path = written(keys);
  const names = path.split('.');
  if (isDated(form)) return undefined;
  const inner = names.length > 1 ? (LABELS[names.slice(-2).join('.')] ?? LABELS[`*.${names.at(-1)}`]) : undefined;
  return LABELS[`${form}:${path}`] ?? LABELS[path] ?? inner;
}

const spaced = (key) => `${key[0].toUpperCase()}${key.slice(1).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`.replaceAll(/[_-]/g, ' ');

/** Returns the name of a field. */
export function nameOf(form, keys) {
  const key = keys.at(-1);
  if (typeof key === 'number') return `${key + 1}`;
  return entryOf(form, keys)?.[0] ?? NAMES[key] ?? spaced(key);
}

/** Returns the help of a field. */
export function helpOf(form, keys, { description = '' }) {
  return typeof keys.at(-1) === 'number' ? plain(description) : (entryOf(form, keys)?.[1] ?? plain(description));
}

const plain = (description) => description.replaceAll('`', '');

/** Returns the name of a choice. */
export const choiceOf = (form, keys, value) => (isDated(form) ? undefined : CHOICES[written(keys)]?.[value]) ?? value;
