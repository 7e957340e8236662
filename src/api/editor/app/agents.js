// The agents view: registers tools for agents in this browser, and shows the calls and proposals of agents.

import { ask, Offline, Refused } from './server.js';
import { button, element, tell } from './page.js';
import { address } from './list.js';
import { countProposals } from './navigation.js';
import { lines } from './difference.js';
import { keep, keptOf } from './kept.js';

// Interval for refreshing the lists, in milliseconds.
const AGAIN = 4000;

const AGENTS = { 'agent-browser': 'in this browser', 'agent-terminal': 'in a terminal' };

let offered = null;

/** Registers the tools if this browser supports WebMCP: https://webmachinelearning.github.io/webmcp/ */
export async function offerTools() {
  const context = document.modelContext ?? navigator.modelContext;
  if (offered || !context?.registerTool) return;
  const { signal } = (offered = new AbortController());
  try {
    const { tools } = await ask('tools');
    for (const tool of tools) await context.registerTool({ ...tool, execute: (input) => run(tool, input) }, { signal });
  } catch (error) {
    if (!signal.aborted) withdrawTools();
    if (!(error instanceof Offline)) console.warn('agent tools cannot be registered:', error);
  }
}

/** Withdraws the tools, because no one is signed in any more. */
export function withdrawTools() {
  offered?.abort();
  offered = null;
}

async function run(tool, input) {
  try {
    const answer = await ask('call', { name: tool.name, arguments: input ?? {} });
    tell(`An agent used ${tool.title}${answer.file ? `: ${answer.file}` : ''}`);
    if (answer.state) dispatchEvent(new Event('agent-wrote'));
    return answer;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) withdrawTools();
    tell(`An agent could not use ${tool.title}: ${error.message}`);
    return { error: error.message };
  }
}

/** Shows the proposals that wait for a decision, and the calls of agents. */
export async function showAgents(main) {
  const waiting = element('div', { class: 'proposals' });
  const none = element('p', { class: 'soft' }, 'No proposals are waiting.');
  const calls = element('tbody');
  const shown = new Map();
  const fill = async () => {
    const there = await ask('agents');
    for (const proposal of [...there.proposals].reverse()) {
      if (!shown.has(proposal.id)) waiting.prepend(shown.set(proposal.id, card(proposal, refresh)).get(proposal.id));
    }
    for (const [id, made] of shown) {
      if (there.proposals.some((proposal) => proposal.id === id)) continue;
      made.remove();
      shown.delete(id);
    }
    none.hidden = shown.size > 0;
    countProposals(shown.size);
    calls.replaceChildren(...there.calls.map(row));
  };
  const refresh = () => fill().catch(() => {});
  main.replaceChildren(
    element('h1', {}, 'Agents'),
    element('p', {}, 'Agents can search, read, check, and write drafts. Published content changes only when you accept a proposal.'),
    none,
    waiting,
    element('h2', {}, 'Calls by agents'),
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...['Time', 'Tool', 'Details', 'Agent'].map((name) => element('th', { scope: 'col' }, name)))),
      calls,
    ),
  );
  await fill();
  const timer = setInterval(refresh, AGAIN);
  addEventListener('agent-wrote', refresh);
  return () => {
    clearInterval(timer);
    removeEventListener('agent-wrote', refresh);
    return true;
  };
}

function row(call) {
  const what = call.path ? element('a', { href: address(call.path) }, call.path) : call.about;
  return element('tr', {}, element('td', {}, time(call.time)), element('td', {}, call.tool.replaceAll('_', ' ')), element('td', { class: 'what', dir: 'auto' }, what), element('td', {}, AGENTS[call.agent] ?? call.agent));
}

function time(text) {
  return element('time', { datetime: text }, new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }));
}

function card(proposal, refresh) {
  const { id, path, before, after } = proposal;
  const changes = element('div', {}, lines(before, after));
  const wrong = element('p', { role: 'alert', class: 'wrong' });
  const decide = async (operation, made) => {
    made.disabled = true;
    try {
      await ask(operation, { id });
      tell(operation === 'accept' ? `The proposal was accepted, and ${path} was saved.` : 'The proposal was discarded.');
      await refresh();
    } catch (error) {
      made.disabled = error.status === 409;
      wrong.textContent = error.message;
      if (error.answer?.there !== undefined) conflict(error.answer.there);
    }
  };
  const conflict = (there) => {
    wrong.textContent =
      there === null
        ? 'The file was deleted in the meantime. Nothing was written. Below is the agent’s text.'
        : 'The file was changed in the meantime. Nothing was written. Lines with − are in the file now; lines with + are in the agent’s text.';
    changes.replaceChildren(lines(there ?? '', after));
  };
  // Opens the proposed text as an unsaved edit of the person. If the file has changed, the editor shows a conflict.
  const edit = () => {
    if (keptOf(path).length) {
      wrong.textContent = 'You have unsaved changes in this file: open it, and save or undo them first.';
      return;
    }
    if (!keep(path, after, proposal.version)) return (wrong.textContent = 'This browser has no space to store the text: accept the proposal, or edit the file yourself.');
    location.hash = address(path);
  };
  return element(
    'section',
    { class: 'panel', 'aria-label': `Proposal for ${path}` },
    element('h2', {}, element('a', { href: address(path) }, path)),
    element('p', { class: 'soft' }, 'Proposed ', time(proposal.time), ` by an agent ${AGENTS[proposal.agent] ?? proposal.agent}`),
    proposal.reason ? element('p', { dir: 'auto' }, proposal.reason) : '',
    changes,
    wrong,
    element('div', { class: 'tools' }, button('Accept', (made) => decide('accept', made), ''), button('Edit it first', edit), button('Discard', (made) => decide('discard', made))),
  );
}
