// A site file: its template, the rendered output next to it, and publishing of the draft.

import { ask, Offline, Refused } from './server.js';
import { button, element, tell } from './page.js';
import { lines } from './difference.js';
import { showConflict } from './two_texts.js';
import { type } from './writing.js';

/**
 * The additional parts of the view for a site file. `file` is the open file, and `there` is the server's answer for it.
 */
export class SiteFile {
  constructor(file, there) {
    this.file = file;
    this.publish = button('Publish', () => this.askToPublish());
    this.tools = [this.publish];
    this.remove = there.site_file.is_generated ? 'Restore the generated file' : 'Delete';
    this.rendered = element('pre', { class: 'rendered', tabindex: '0', dir: 'auto' });
    this.name = element('h2');
    this.begin = button('Start with this text', () => this.beginWithIt());
    this.view = element('section', { class: 'panel', 'aria-label': 'Result' }, this.name, this.rendered, element('div', { class: 'tools' }, this.begin));
    this.enabled = element('input', { type: 'checkbox', id: 'enabled' });
    this.type = element('select', { id: 'content-type' }, ...there.site_file.content_types.map((value) => element('option', { value }, value)));
    for (const input of [this.enabled, this.type]) input.addEventListener('change', () => this.set());
    this.settings = element(
      'details',
      { class: 'group' },
      element('summary', {}, 'Settings in site.toml'),
      element('div', { class: 'choice' }, this.enabled, element('label', { for: 'enabled' }, `Include /${there.site_file.filename} in the site`)),
      element('div', { class: 'field' }, element('label', { for: 'content-type' }, 'Media type'), this.type),
    );
    this.help = element('p', { class: 'help' }, 'A Mustache template: {{title}} is the title of the site, and {{#items}} … {{/items}} repeats for each of the newest items. Three braces print a value without escaping.');
  }

  get confirmation() {
    const { filename, is_generated: isGenerated } = this.facts;
    return isGenerated ? `Restore the generated ${filename}? Your template moves to .feedwright/trash/.` : `Move the template of ${filename} and its draft to the trash? You can restore them from .feedwright/trash/.`;
  }

  /** Shows the server's answer about the template. */
  show({ site_file: facts, rendered }) {
    this.facts = { ...this.facts, ...facts };
    const { filename, is_generated: isGenerated, published } = this.facts;
    this.name.textContent = `/${filename}`;
    this.rendered.hidden = rendered === null;
    this.rendered.textContent = rendered ?? '';
    this.begin.hidden = !isGenerated || !rendered || this.file.area.value !== '';
    this.showSettings();
    this.enable();
    this.file.removeButton.hidden = isGenerated && typeof published !== 'string' && this.file.area.value === '';
  }

  showSettings() {
    [this.enabled.checked, this.type.value] = [this.facts.enabled, this.facts.content_type];
  }

  /** Disables publishing if the text is already published. */
  enable() {
    const { published, is_generated: isGenerated } = this.facts ?? {};
    this.publish.disabled = this.file.text === (published ?? (isGenerated ? '' : null));
  }

  beginWithIt() {
    this.file.area.focus();
    type(this.file.area, this.rendered.textContent);
  }

  /** Shows the difference between the published template and the draft. */
  async askToPublish() {
    const { file } = this;
    // A running save may have an older text.
    for (let tries = 0; tries < 2 && !file.isSaved; tries += 1) await file.save();
    if (!file.isSaved) return;
    this.showWhatChanges('Publishing makes these changes to the template. Visitors see them after the next build and deploy.');
  }

  showWhatChanges(words) {
    const { file } = this;
    const seen = file.saved.version;
    const wrong = element('p', { role: 'alert', class: 'wrong' });
    file.open('publish', [
      element('h2', {}, `Publish /${this.facts.filename}`),
      element('p', {}, words),
      lines(this.facts.published ?? '', file.text),
      wrong,
      element('div', { class: 'tools' }, button('Publish it', () => this.put(seen, wrong), ''), button('Cancel', () => file.close())),
    ]);
    file.panel.querySelector('button').focus();
  }

  async put(seen, wrong) {
    const { file } = this;
    try {
      file.put(await ask('site-file-publish', { path: file.path, version: seen }));
      file.close();
      tell(`${this.facts.filename} will be published with the next build.`);
    } catch (error) {
      if (error.status === 409) this.conflict(error.answer);
      else wrong.textContent = error.message;
    }
  }

  /** Handles a change to the draft or to the published template in the meantime. */
  conflict(there) {
    const { file } = this;
    if (there.body !== file.text) return showConflict(file, there);
    file.saved.version = there.version;
    this.show(there);
    this.showWhatChanges('The published template was changed in the meantime, and nothing was written. Publishing would now make these changes.');
  }

  /** Shows the changes to `site.toml` before they are written. */
  async set() {
    const { file } = this;
    const wanted = { path: file.path, enabled: this.enabled.checked, content_type: this.type.value };
    const wrong = element('p', { role: 'alert', class: 'wrong' });
    const end = () => {
      file.close();
      this.showSettings();
    };
    const save = async (version) => {
      try {
        await ask('site-file-settings', { ...wanted, version });
        Object.assign(this.facts, { enabled: wanted.enabled, content_type: wanted.content_type });
        end();
        await file.look();
      } catch (error) {
        wrong.textContent = error.message;
      }
    };
    try {
      const { before, after, version } = await ask('site-file-settings', wanted);
      if (before === after) return end();
      file.open('settings', [
        element('h2', {}, 'Changes in site.toml'),
        lines(before, after),
        wrong,
        element('div', { class: 'tools' }, button('Save site.toml', () => save(version), ''), button('Cancel', end)),
      ]);
      file.panel.querySelector('button').focus();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Offline)) throw error;
      end();
      tell(error.message);
    }
  }
}
