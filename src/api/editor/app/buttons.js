// The buttons above an open file.

import { button, element } from './page.js';
import { toggleWhole } from './file_view.js';

/** Kinds with drafts, which only their author sees until they are published. Files of other kinds are public when saved. */
export const WITH_DRAFTS = ['item', 'page'];

// Kinds whose fields are in front matter above the text.
const WITH_FRONT_MATTER = ['item', 'page', 'channel', 'event'];

/** Returns the buttons of a file: `tools` save and publish it, and `others` are used less often. */
export function buttonsOf(file) {
  const { kind, siteFile } = file;
  file.saveButton = button('Save', () => file.save(), '');
  file.publishButton = button('Publish now', () => file.publish());
  file.publishButton.setAttribute('aria-describedby', 'visibility');
  file.dateButton = button('Schedule', () => file.choose());
  file.wholeButton = button('Edit the file', () => toggleWhole(file));
  file.removeButton = button(siteFile?.remove ?? 'Delete', () => file.remove());
  const tools = element('div', { class: 'tools' }, file.saveButton);
  const others = element('div', { class: 'tools file-tools' }, button('Show changes', () => file.toggleDifference()));
  if (WITH_DRAFTS.includes(kind)) tools.append(file.publishButton, file.dateButton);
  if (WITH_FRONT_MATTER.includes(kind)) others.append(file.wholeButton);
  if (siteFile) tools.append(...siteFile.tools);
  if (kind !== 'channel') others.append(file.removeButton);
  return { tools, others };
}
