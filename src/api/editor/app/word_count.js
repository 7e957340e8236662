// The number of words in a text, and the time to read it.

import { element } from './page.js';

const PER_MINUTE = 230;
// Pause in typing before words are counted, in milliseconds.
const PAUSE = 300;

// Scripts that put no spaces between words.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Counts the words that readers see. */
function countWords(markdown) {
  const text = markdown
    .replace(/!\[[^\]]*\]\([^)]*\)|<!--[^]*?-->|<[^<>]+>|\[\^[^\]]+\]:?|https?:\/\/\S+/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ');
  if (UNSPACED.test(text) && Intl.Segmenter) {
    return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(({ isWordLike }) => isWordLike).length;
  }
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.,_-][\p{L}\p{N}\p{M}]+)*/gu)?.length ?? 0;
}

function wordsOf(count) {
  const words = `${count.toLocaleString('en')} ${count === 1 ? 'word' : 'words'}`;
  return count ? `${words} · ${Math.max(1, Math.round(count / PER_MINUTE))} min read` : words;
}

/** Returns a line with the number of words in an area. It is updated in pauses of typing. */
export function wordCount(area) {
  const line = element('p', { class: 'soft words' });
  let timer;
  let counted = null;
  const count = () => {
    if (area.value === counted) return;
    counted = area.value;
    line.textContent = wordsOf(countWords(counted));
  };
  area.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(count, PAUSE);
  });
  return { line, count };
}
