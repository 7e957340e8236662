// What every view is made of.

/** Makes an element. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Says something in a word or two, for eyes and for screen readers. */
export function tell(words) {
  document.getElementById('told').textContent = words;
}
