// A snapshot: what the chunks up to one place add up to. The log is read at one instant and cut at one place, so
// messages, state and sequence can't be of different moments.

import { completesStep, countingEntries, opensStep, rootAgents, stateOf } from './counting.mjs';
import { readMessages } from './messages.mjs';

export function takeSnapshot(stream, withPartialContent) {
  const sequence = withPartialContent ? stream.latestSequence : beforeOpenStep(stream);
  // What was taken back behind the cut doesn't count in front of it either.
  const counting = countingEntries(stream.log).filter((entry) => entry.sequence <= sequence);
  return {
    ...readUpTo(stream, sequence),
    messages: readMessages(counting, rootAgents(stream.log, stream.rootAgent), stream.terminal !== null),
    streamSequence: sequence,
    timestamp: Date.now(),
    status: stream.status,
  };
}

/** State and messages at a place of the log. */
export function readUpTo(stream, sequence) {
  const log = stream.log.filter((entry) => entry.sequence <= sequence);
  const roots = rootAgents(log, stream.rootAgent);
  const entries = countingEntries(log);
  return {
    state: stateOf(entries, roots, stream.initialState),
    messages: readMessages(entries, roots, stream.terminal !== null),
  };
}

/** The last place at which no step is open: right before the first thing that an open step has said. */
function beforeOpenStep({ log, latestSequence, rootAgent, terminal }) {
  if (terminal) return latestSequence;
  const roots = rootAgents(log, rootAgent);
  let open = [];
  for (const { sequence, step, chunk } of countingEntries(log)) {
    if (opensStep(chunk)) open.push({ sequence, step });
    else if (completesStep(chunk) && roots.has(chunk.agentId)) open = withoutSteps(open, chunk.stepCount ?? chunk.step);
  }
  return open.length > 0 ? open[0].sequence - 1 : latestSequence;
}

// What carries no step belongs to whichever was open.
function withoutSteps(open, completed) {
  return open.filter(({ step }) => step > completed);
}
