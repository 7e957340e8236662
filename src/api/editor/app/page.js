// What every view is made of.

/** Makes an element. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Makes a button that does something. */
export function button(name, action, kind = 'quiet') {
  const made = element('button', { type: 'button', class: kind }, name);
  made.addEventListener('click', () => action(made));
  return made;
}

/** Says something in a word or two, for eyes and for screen readers. */
export function tell(words) {
  document.getElementById('told').textContent = words;
}

/** Words of the server as a sentence. One that begins with a file's name begins as the name does. */
export function sentence(words) {
  const told = words.trim();
  const begun = /^\S+\.\w/.test(told) ? told : `${told.slice(0, 1).toUpperCase()}${told.slice(1)}`;
  return /[.:!?]$/.test(told) ? begun : `${begun}.`;
}

/** Opens what an element is folded in. */
export function unfold(inner) {
  for (let folded = inner.closest('details'); folded; folded = folded.parentElement.closest('details')) folded.open = true;
}
