// Which chunks of a log count. A run that goes back, or drops a step, unsays nothing: a later chunk says what counts no
// longer. Snapshots and the runtime both read the log through this, so they can't disagree.

import { applyPatch } from './patch.mjs';

const completing = new Set(['step_committed', 'checkpoint_created']);
const bookkeeping = new Set([
  ...completing, 'run_interrupted', 'run_resumed', 'run_paused', 'executor_superseded', 'step_discarded',
  'stream_resync',
]);

export const completesStep = ({ type }) => completing.has(type);
/** Whether a chunk opens a step: it says more than how the run goes. A patch without a step came with its commit. */
export const opensStep = ({ type, step }) => !bookkeeping.has(type) && (type !== 'state_patch' || step !== undefined);

/** The entries of a log that count, in order. */
export function countingEntries(log) {
  let counting = [];
  for (const entry of log) {
    const { chunk } = entry;
    if (chunk.type === 'stream_resync') counting = counting.filter(({ sequence }) => sequence <= chunk.fromSequence);
    if (chunk.type === 'step_discarded') counting = withoutStep(counting, chunk);
    counting.push(entry);
  }
  return counting;
}

/** The agents whose words and state are those of the stream: who wrote its first chunk, and who branched from that. */
export function rootAgents(log, first) {
  const branches = log.filter(({ chunk }) => chunk.type === 'stream_resync' && chunk.reason === 'branch');
  return new Set([first, ...branches.map(({ chunk }) => chunk.agentId)]);
}

/** What the patches of some agents add up to. One that doesn't apply is left out whole. */
export function stateOf(entries, agents, initial) {
  let state = initial;
  for (const { chunk } of entries) {
    if (chunk.type !== 'state_patch' || !agents.has(chunk.agentId)) continue;
    try {
      state = applyPatch(state, chunk.patches);
    } catch {
      // A reader that can't apply it keeps what it has, too.
    }
  }
  return state;
}

function withoutStep(entries, { agentId, step }) {
  const begin = entries.findLastIndex(({ chunk }) => chunk.agentId === agentId && completesStep(chunk));
  return entries.filter(({ chunk }, index) =>
    index <= begin || chunk.agentId !== agentId || chunk.type === 'state_patch' ||
    (step !== undefined && chunk.step !== step));
}
