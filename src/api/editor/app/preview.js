// The preview next to a text: its width, and its replacement without losing the scroll position.

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
 * are shown above the frame.
 */
export function previewBeside(view, ...parts) {
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
  const toggle = button('Preview', () => {
    const isLooking = looks.parentElement.classList.toggle('is-looking');
    toggle.textContent = isLooking ? 'Back to the text' : 'Preview';
    looks.scrollIntoView({ block: 'nearest' });
  });
  queueMicrotask(() => looks.parentElement?.setAttribute('data-width', view.dataset.width));
  return [looks, element('div', { class: 'look-toggle' }, toggle)];
}

/**
 * Replaces the preview once the new page has loaded, and restores the scroll position. `first(page)` returns the
 * element that the first preview scrolls to. Calls `failed` if the server does not answer.
 */
export function replacePreview(view, address, { first = () => null, failed = () => {} }) {
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
    page.defaultView.scrollTo(0, start ? start.getBoundingClientRect().top : before?.contentDocument?.defaultView.scrollY ?? 0);
    frame.classList.add('is-shown');
    for (const other of [...view.children]) if (other !== frame && other.compareDocumentPosition(frame) & Node.DOCUMENT_POSITION_FOLLOWING) other.remove();
  });
  view.append(frame);
}
