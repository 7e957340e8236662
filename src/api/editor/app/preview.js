// The preview next to a text: its width, its replacement without losing the scroll position, and the part that it shows.

import { button, element } from './page.js';

// The widths that can be chosen, by their names.
const WIDTHS = { phone: ['Phone', 390], tablet: ['Tablet', 768], full: ['Full', null] };

const CHOSEN = 'feedwright-preview';

function chosenWidth() {
  try {
    const name = localStorage.getItem(CHOSEN);
    return Object.hasOwn(WIDTHS, name) ? name : 'full';
  } catch {
    return 'full';
  }
}

function keepWidth(name) {
  try {
    localStorage.setItem(CHOSEN, name);
  } catch {
    // Without storage, the width is chosen again next time.
  }
}

/**
 * Returns the preview with its widths, and the button that shows it in place of the text on a narrow screen. `parts`
 * are shown above the frame. The button calls `follow`.
 */
export function previewBeside(view, follow, ...parts) {
  const widths = Object.entries(WIDTHS).map(([name, [words]]) => button(words, () => set(name), 'quiet small'));
  const choice = element('div', { class: 'tools widths', role: 'group', 'aria-label': 'Width of the preview' }, ...widths);
  const looks = element('section', { class: 'looks', 'aria-label': 'Preview' }, choice, ...parts, view);
  const fit = () => {
    const width = WIDTHS[view.dataset.width][1];
    const scale = width ? Math.min(1, view.clientWidth / width) : 1;
    view.style.setProperty('--scale', scale || 1);
  };
  const set = (name) => {
    view.dataset.width = name;
    Object.keys(WIDTHS).forEach((other, at) => widths[at].setAttribute('aria-pressed', other === name));
    keepWidth(name);
    looks.parentElement?.setAttribute('data-width', name);
    fit();
  };
  set(chosenWidth());
  new ResizeObserver(fit).observe(view);
  let left = 0;
  const toggle = button('Preview', () => {
    const top = scrollY;
    const isLooking = looks.parentElement.classList.toggle('is-looking');
    toggle.textContent = isLooking ? 'Back to the text' : 'Preview';
    scrollTo({ top: isLooking ? 0 : left, behavior: 'instant' });
    left = top;
    if (isLooking) follow();
  });
  queueMicrotask(() => looks.parentElement?.setAttribute('data-width', view.dataset.width));
  return [looks, element('div', { class: 'look-toggle' }, toggle)];
}

/**
 * Replaces the preview once the new page has loaded, and restores the scroll position. `first(page)` returns the
 * element that the first preview scrolls to. Calls `shown` afterwards, or `failed` if the server does not answer.
 */
export function replacePreview(view, address, { first = () => null, shown = () => {}, failed = () => {} }) {
  const frame = element('iframe', { title: 'Preview', sandbox: 'allow-same-origin allow-popups', src: address });
  const before = view.querySelector('iframe.is-shown');
  frame.addEventListener('load', () => {
    const page = frame.contentDocument;
    // The browser shows its own error page. The previous preview stays.
    if (!page) {
      failed();
      return frame.remove();
    }
    const start = before ? null : first(page);
    const top = start ? start.getBoundingClientRect().top : (before?.contentDocument?.defaultView.scrollY ?? 0);
    page.defaultView.scrollTo({ top, behavior: 'instant' });
    frame.classList.add('is-shown');
    for (const other of [...view.children]) if (other !== frame && other.compareDocumentPosition(frame) & Node.DOCUMENT_POSITION_FOLLOWING) other.remove();
    shown();
  });
  view.append(frame);
}

/**
 * Makes the preview follow the caret in `main`. `textOf()` returns the area of the text, and the number of lines above
 * the body. Returns a function that scrolls to the part with the caret, and a function to call after a refresh.
 */
export function followCaret(main, view, textOf) {
  let [place, text] = [null, null];
  const follow = () => place !== null && scrollToCaret(view, textOf());
  const move = ({ target }) => {
    const { area } = textOf();
    if (target !== area || area.selectionStart === place) return;
    place = area.selectionStart;
    follow();
  };
  for (const name of ['keyup', 'click', 'input']) main.addEventListener(name, move);
  const refreshed = () => {
    const { area } = textOf();
    if (area.value !== text && document.activeElement === area) follow();
    text = area.value;
  };
  return { follow, refreshed };
}

/**
 * Scrolls the shown page to the part of the text with the caret, unless it is in sight. A smooth scroll would miss the
 * part if images or fonts load meanwhile.
 */
function scrollToCaret(view, { area, above }) {
  const page = view.querySelector('iframe.is-shown')?.contentDocument;
  const top = page?.body ? topOf(page, area, above) : null;
  if (top === null) return;
  const { scrollY, innerHeight } = page.defaultView;
  if (top > scrollY + innerHeight * 0.1 && top < scrollY + innerHeight * 0.8) return;
  page.defaultView.scrollTo({ top: top - innerHeight * 0.3, behavior: 'instant' });
}

/** Returns the place of the caret in a page: the distance from the top, or null if the page does not show its part. */
function topOf(page, { value, selectionStart: at }, above) {
  const starts = [0, ...[...value.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const line = starts.findLastIndex((start) => start <= at) + 1 - above;
  const blocks = blocksOf(page);
  const own = blocks.findLastIndex((block) => block.line <= line);
  if (own < 0) return null;
  const [block, next] = [blocks[own], blocks[own + 1]];
  const [start, end] = [starts[block.line - 1 + above], next ? starts[next.line - 1 + above] : value.length];
  const { top, bottom } = block.element.getBoundingClientRect();
  const low = next ? Math.min(bottom, Math.max(top, next.element.getBoundingClientRect().top)) : bottom;
  return page.defaultView.scrollY + top + ((low - top) * (at - start)) / Math.max(1, end - start);
}

/** Returns the blocks of a page in the order of their lines. The server names the line in a comment before each block. */
function blocksOf(page) {
  const comments = page.createNodeIterator(page.body, NodeFilter.SHOW_COMMENT);
  const blocks = [];
  for (let comment; (comment = comments.nextNode()); ) {
    const line = Number(/^line (\d+)$/.exec(comment.data)?.[1]);
    if (line) blocks.push({ line, element: comment.nextElementSibling ?? comment.parentElement });
  }
  return blocks.sort((a, b) => a.line - b.line);
}
