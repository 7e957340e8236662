// Elements and functions that all views share.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Makes a button that runs an action. */
export function button(name, action, kind = 'quiet') {
  const made = element('button', { type: 'button', class: kind }, name);
  made.addEventListener('click', () => action(made));
  return made;
}

/** Shows a short status message, which screen readers announce. */
export function tell(words) {
  document.getElementById('told').textContent = words;
}

/** Turns a server message into a sentence. A message that starts with a file name keeps its first letter. */
export function sentence(words) {
  const told = words.trim();
  const begun = /^\S+\.\w/.test(told) ? told : `${told.slice(0, 1).toUpperCase()}${told.slice(1)}`;
  return /[.:!?]$/.test(told) ? begun : `${begun}.`;
}

/** Opens all folded elements around an element. */
export function unfold(inner) {
  for (let folded = inner.closest('details'); folded; folded = folded.parentElement.closest('details')) folded.open = true;
}
