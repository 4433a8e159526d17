// What an agent can do, by the name of the act in its script. With a model in the script's place, its answer would be
// read here.

import { parseJson } from './body.mjs';
import { Failure, failureOf, failureOfStop } from './failure.mjs';
import { fits } from './schema.mjs';
import { handOver } from './subagent.mjs';
import { callTool } from './tool.mjs';

export const acts = {
  text: (agent, said) => agent.say(said),
  thinking: think,
  tool: callTool,
  custom: (agent, { eventName, data = null }) => agent.emit({ type: 'custom', eventName, data }),
  set: (agent, set) => agent.stage({ set }),
  append: (agent, append) => agent.stage({ append }),
  delete: (agent, removed) => agent.stage({ delete: removed }),
  parallel,
  subagent: handOver,
  error: (agent, error) => fail(agent, failureOf(error)),
  stop: (agent, reason) => fail(agent, failureOfStop(reason)),
  await: (agent, barrier) => agent.executor.barrier(agent, barrier),
  output,
};

/** A block as it grows, and the whole of it when it is complete. Here it grows in one go. */
function think(agent, content) {
  if (content !== '') agent.emit({ type: 'thinking', content, isComplete: false });
  agent.emit({ type: 'thinking', content, isComplete: true });
}

/** Reports a failure that the run survives, throws one that it doesn't. */
function fail(agent, failure) {
  if (!failure) return;
  if (!failure.isRecoverable) throw failure;
  agent.report(failure);
}

/** Does the branches side by side. The first failure is that of all. */
async function parallel(agent, branches) {
  const { executor } = agent;
  let left = branches.length;
  executor.fork(left);
  const work = branches.map(async (branch) => {
    try {
      await agent.perform(branch);
    } catch (error) {
      // The parent of a child goes on, so what the child has open has to end. When the root fails, the stream fails.
      if (agent.parent) agent.cancel();
      throw error;
    } finally {
      left -= 1;
      // The last one goes on as whoever forked.
      if (left > 0) executor.leave();
    }
  });
  if (agent.parent) await Promise.allSettled(work);
  await Promise.all(work);
}

function output(agent, value) {
  const { outputSchema } = agent;
  if (outputSchema === undefined || fits(value, outputSchema)) agent.output = value;
  else agent.output = valueOfText(value, outputSchema);
}

// Some models return a JSON text where a value was asked for.
function valueOfText(text, schema) {
  try {
    const value = parseJson(text);
    if (typeof text === 'string' && fits(value, schema)) return value;
  } catch {
    // No JSON text.
  }
  throw new Failure('the output does not satisfy its schema', { code: 'validation_error' });
}
