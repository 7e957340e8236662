// The translations of an open file, in a site with several languages.

import { ask, sentenceOf } from './server.js';
import { button, element, tell } from './page.js';
import { address } from './list.js';

/** Returns the languages of an open file: links to its translations, and buttons that create the missing ones. */
export function translationsOf({ path, kind, site }) {
  const files = filesByLanguage(site, path, kind);
  if (!files) return '';
  const entries = site.languages.map(({ tag, name }) => {
    const file = files(tag);
    if (file === path) return element('strong', { lang: tag, 'aria-current': 'true' }, name);
    if (file) return element('a', { href: address(file), lang: tag, hreflang: tag }, name);
    const make = button(`Translate: ${name}`, () => translate(path, tag, make), 'quiet small');
    return make;
  });
  return element('p', { class: 'translations soft', role: 'group', 'aria-label': 'Languages of this text' }, ...entries);
}

/** Returns a function from a language to the file that has the text in it. */
function filesByLanguage({ languages, files }, path, kind) {
  if (!languages?.length) return null;
  if (kind === 'channel') return (tag) => languages.find((own) => own.tag === tag).channel;
  const own = files.find((file) => file.path === path);
  if (!own?.language) return null;
  return (tag) => (tag === own.language ? path : files.find(({ text, language, kind: other }) => text === own.text && language === tag && other === kind)?.path);
}

async function translate(path, language, made) {
  made.disabled = true;
  try {
    const { path: translation } = await ask('translate', { path, language });
    location.hash = address(translation);
  } catch (error) {
    tell(sentenceOf(error));
    made.disabled = false;
  }
}
