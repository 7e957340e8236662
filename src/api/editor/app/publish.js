// The publish view: asks where the site should live, then publishes it with one button. Each step can be done alone.

import { ask, Refused, Offline } from './server.js';
import { button, element, tell } from './page.js';
import { setUp } from './publish_setup.js';
import { showSteps, showPlan, ended } from './publish_steps.js';
import { showSummary, published, choices } from './publish_summary.js';
import { trouble } from './publish_words.js';
import { inShow } from './shows.js';

// Interval for polling a running task, in milliseconds.
const AGAIN = 500;

// Names of tasks, and of the steps of a task.
const NAMES = { commit: 'The commit', push: 'The push', plan: 'The plan', deploy: 'The deploy', publish: 'Publishing', setup: 'The setup', combine: 'Getting the changes' };
const STEPS = {
  repository: 'Start the history of your site on this computer',
  first: 'Keep the first version',
  connection: 'Try to reach the repository',
  destination: 'Build the site, and try the destination',
  commit: 'Keep this version in the history',
  push: 'Send it to the repository',
  deploy: 'Build the site, and send what changed',
};
const STATES = { waiting: ['○', 'waiting'], running: ['…', 'running'], done: ['✓', 'done'], failed: ['✗', 'failed'] };

/** Shows what there is to publish. */
export async function showPublish(main, site) {
  const view = new Publishing(main, site);
  main.replaceChildren(element('h1', { tabindex: '-1' }, 'Publish'), element('p', { role: 'status' }, 'Looking for changes…'));
  await view.refresh();
  return () => view.leave();
}

/** Returns the place where the messages of a task are shown. */
const placeOf = (kind) => ({ plan: 'deploy', publish: 'main', setup: 'main', combine: 'main' })[kind] ?? kind;

class Publishing {
  constructor(main, site) {
    Object.assign(this, { main, site, show: inShow(), typed: null, chosen: new Map(), words: {}, isLeft: false, isChanging: false });
    this.top = element('section', { class: 'part', 'aria-label': 'Publish the site' });
    this.parts = Object.fromEntries(['commit', 'push', 'deploy'].map((name) => [name, element('section', { class: 'part', 'aria-labelledby': `${name}-name` })]));
    this.alone = element('details', { class: 'group alone' }, element('summary', {}, 'Step by step'), ...Object.values(this.parts));
  }

  leave() {
    this.isLeft = true;
    return true;
  }

  /** Requests the current state again. */
  async refresh() {
    const state = await ask('publish', this.show);
    if (this.isLeft) return;
    this.state = state;
    showSteps(this, state);
    const { now } = state;
    if (this.isChanging || (!now.how && !now.trouble)) await setUp(this);
    else if (now.trouble) this.top.replaceChildren(trouble(now.trouble), element('p', {}, 'Nothing is lost. If you do not use a terminal, ask a helper.'), this.said('main'), element('div', { class: 'tools' }, button('Change where the site lives', () => this.change(true))));
    else showSummary(this, now);
    if (this.isLeft) return;
    if (!this.top.isConnected) this.main.replaceChildren(element('h1', { tabindex: '-1' }, 'Publish'), this.top, this.alone);
    const running = state.deeds.find((deed) => !deed.ended);
    if (running && !this.isBusy) this.follow(running);
  }

  /** Shows the setup, or the changes again. The old view is removed first, because text typed into it would be lost. */
  async change(isChanging) {
    this.isChanging = isChanging;
    this.said('main').replaceChildren();
    this.top.replaceChildren(element('p', { role: 'status' }, 'Looking for changes…'));
    await this.refresh().catch((error) => this.top.replaceChildren(trouble(error), element('div', { class: 'tools' }, button('Try again', () => this.change(isChanging)))));
  }

  /** Returns a status area. It keeps its last message when its section is rendered again. */
  said(name) {
    this.words[name] ??= element('div', { class: 'said', role: 'status', tabindex: '-1', 'aria-label': 'Result' });
    return this.words[name];
  }

  /** Starts a task. If the server refuses it, the state may have changed, so the current state is shown. */
  async begin(operation, asked = {}) {
    if (this.isBusy) return tell('Another task is still running.');
    this.isBusy = true;
    const said = this.said(placeOf({ 'publish-all': 'publish', 'publish-combine': 'combine', setup: 'setup', 'setup-test': 'setup' }[operation] ?? operation.split('-')[1]));
    said.replaceChildren(element('p', {}, 'Starting…'));
    try {
      await this.follow(await ask(operation, { ...asked, ...this.show }));
    } catch (error) {
      this.isBusy = false;
      if (error instanceof Offline) return said.replaceChildren(element('p', {}, 'The server does not answer. Try again when it is back.'));
      if (!(error instanceof Refused)) throw error;
      await this.refresh().catch(() => {});
      said.replaceChildren(trouble({ message: error.message }));
    }
  }

  /** Shows a task until it ends. The task may have been started in another window. */
  async follow(deed) {
    this.isBusy = true;
    const said = this.said(placeOf(deed.kind));
    const words = element('p', {}, `${NAMES[deed.kind]} is running…`);
    const bar = element('progress', { 'aria-label': NAMES[deed.kind] });
    const steps = element('ol', { class: 'steps' });
    const stop = button('Stop', async () => {
      stop.disabled = true;
      await ask('publish-stop', { id: deed.id }).catch((error) => {
        stop.disabled = false;
        tell(error.message);
      });
    });
    said.replaceChildren(words, steps, bar, element('div', { class: 'tools' }, stop));
    while (!deed.ended) {
      showProgress(deed.progress, { words, steps, bar });
      await new Promise((done) => setTimeout(done, AGAIN));
      if (this.isLeft) return;
      try {
        deed = await ask('publish-deed', { id: deed.id });
      } catch (error) {
        if (error instanceof Offline) continue;
        // The server was restarted and does not know the task.
        deed = { ...deed, ended: true, trouble: { message: `${error.message}: check what was done` } };
      }
    }
    this.isBusy = false;
    if (deed.kind === 'commit' && deed.done) [this.typed, this.chosen] = [null, new Map()];
    if (deed.done) this.isChanging = false;
    const before = this.state.now;
    await this.refresh().catch(() => {});
    this.end(deed, before);
  }

  end(deed, before) {
    const said = this.said(placeOf(deed.kind));
    const steps = element('ol', { class: 'steps' }, ...stepsOf(deed.progress));
    if (deed.trouble) said.replaceChildren(steps, ...choices(this, deed));
    else if (deed.kind === 'plan') showPlan(this, deed.done);
    else if (placeOf(deed.kind) === 'main') said.replaceChildren(steps, ...published(this, deed, before));
    else said.replaceChildren(...ended(deed));
    // The pressed button was replaced when the view was rendered again.
    if (document.activeElement === document.body) said.focus();
  }
}

function showProgress(progress, { words, steps, bar }) {
  if (!progress) return;
  const key = JSON.stringify(progress.steps);
  // Screen readers announce the steps only when one of them changes.
  if (steps.dataset.key !== key) steps.replaceChildren(...stepsOf(progress));
  steps.dataset.key = key;
  if (progress.name) words.textContent = `${progress.name}…`;
  if (progress.of) Object.assign(bar, { max: progress.of, value: Math.min(progress.done, progress.of) });
  else bar.removeAttribute('value');
}

/** Returns the steps of a task with their states. */
function stepsOf(progress) {
  return (progress?.steps ?? []).map(([name, state]) => {
    const [sign, words] = STATES[state];
    return element('li', { class: state }, element('span', { 'aria-hidden': 'true' }, sign), ` ${STEPS[name]} `, element('span', { class: 'soft' }, words));
  });
}
