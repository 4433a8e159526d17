// A call of a tool, from its start to its end. It may wait for consent, for a client, or for a barrier on the way.

import { parseJson } from './body.mjs';
import { isObject } from './chunks.mjs';
import { Cancelled } from './failure.mjs';
import { newId } from './id.mjs';

const denial = 'Tool call was not approved by the user';

export async function callTool(agent, { name, arguments: given, ...script }) {
  const call = { toolCallId: newId('call'), toolName: name };
  const asked = { ...call, arguments: argumentsOf(given) };
  agent.emit({ type: 'tool_start', ...asked });
  try {
    endCall(agent, call, await outcomeOf(agent, asked, script));
  } catch (error) {
    if (error instanceof Cancelled) endCall(agent, call, { error: error.message });
    throw error;
  }
}

/** Ends a call with its result, or with its error if it has one. */
export function endCall(agent, call, { result, error }) {
  if (error === undefined) agent.emit({ type: 'tool_end', ...call, success: true, result });
  else agent.emit({ type: 'tool_end', ...call, success: false, error: error || 'the tool failed without saying why' });
}

async function outcomeOf(agent, call, { approval, client, waits, result = null, error }) {
  const { executor } = agent;
  // A gate that fails might have said yes, and might have said no. So somebody is asked.
  if (approval === true || approval === 'broken') {
    agent.emit({ type: 'tool_approval_request', ...call });
    const { approved } = await executor.answer(agent, { ...call, waitsFor: 'decision' });
    if (!approved) return { error: denial };
  }
  if (client) return executor.answer(agent, { ...call, waitsFor: 'result' });
  if (waits !== undefined) await executor.barrier(agent, waits);
  return { result, error };
}

// Models give an object, the text of one, or something else. Readers get an object.
function argumentsOf(given) {
  if (isObject(given)) return given;
  try {
    const value = typeof given === 'string' ? parseJson(given) : {};
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
