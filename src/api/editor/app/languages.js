// The languages of a site that has several, in lists and for new drafts.

import { element } from './page.js';

// The language of the last new draft.
const LAST = 'feedwright-language';

/** Returns the choice of a language with its label, or null for a site with one language. `any` names all languages. */
export function languageChoice({ languages }, id, any) {
  if (!languages?.length) return null;
  const names = languages.map(({ tag, name }) => [tag, name]);
  const select = element('select', { id });
  fillSelect(select, [...(any ? [['', any]] : []), ...names]);
  const last = localStorage.getItem(LAST);
  if (!any && names.some(([tag]) => tag === last)) select.value = last;
  if (!any) select.addEventListener('change', () => localStorage.setItem(LAST, select.value));
  return { label: element('label', { for: id }, 'Language'), select };
}

/** Fills a select with values and their names. */
export const fillSelect = (select, entries) => select.replaceChildren(...entries.map(([value, name]) => element('option', { value }, name)));

/** Returns the mark of a file's language in lists. */
export const languageMark = ({ language }) => (language ? element('abbr', { class: 'language', title: nameOf(language) }, language.toUpperCase()) : '');

function nameOf(tag) {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag);
  } catch {
    return tag;
  }
}
