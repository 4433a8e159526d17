// What a chunk has to look like before it is stored: the lenient profile of spec/helix/1-chunks.md. Types that are not
// known are relayed with their common members checked, and no chunk is ever rebuilt from its known members.

import { invalid } from './refusal.mjs';

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger = (value) => Number.isInteger(value) && value <= Number.MAX_SAFE_INTEGER;

const kind = (name, accepts) => ({ name, accepts });
const any = kind('any JSON value', (value) => value !== undefined);
const text = kind('a string', (value) => typeof value === 'string');
const name = kind('a string that is not empty', (value) => typeof value === 'string' && value !== '');
const flag = kind('true or false', (value) => typeof value === 'boolean');
const textOrNull = kind('a string or null', (value) => value === null || typeof value === 'string');
const number = kind('a number', Number.isFinite);
const count = kind('an integer from 0 to 2^53 - 1', (value) => isInteger(value) && value >= 0);
const pointer = kind('a JSON pointer', (value) => typeof value === 'string' && /^(\/([^/~]|~[01])*)*$/.test(value));
const oneOf = (...words) => kind(`one of ${words.join(', ')}`, (value) => words.includes(value));
const optional = ({ name, accepts }) =>
  kind(`${name}, if it is there`, (value) => value === undefined || accepts(value));
const operations = kind('an array of JSON Patch operations', (value) =>
  Array.isArray(value) && value.every(isOperation));
const operators = oneOf('add', 'remove', 'replace', 'move', 'copy', 'test');

const common = {
  type: name,
  agentId: name,
  agentType: name,
  timestamp: number,
  step: optional(count),
  runId: optional(textOrNull),
};

// A map, because a chunk may call its type `constructor`.
const known = new Map(Object.entries({
  text_delta: { delta: text },
  thinking: { content: text, isComplete: flag },
  tool_start: { toolCallId: text, toolName: text, arguments: any },
  tool_end: { toolCallId: text, toolName: optional(text), success: optional(flag), error: optional(textOrNull) },
  tool_approval_request: {}, // its own members are advice
  subagent_start: { subAgentType: text, subSessionId: text, callId: text, step: count },
  subagent_end: { subAgentType: text, subSessionId: text, callId: text, step: count },
  custom: { eventName: text },
  state_patch: { patches: operations },
  error: { error: text, recoverable: flag, code: optional(textOrNull), step: count },
  output: { output: any },
  run_interrupted: { runId: text, checkpointId: textOrNull, reason: optional(textOrNull) },
  run_resumed: { runId: text, fromCheckpointId: textOrNull, fromStepCount: count, mode: name },
  run_paused: {
    runId: text,
    reason: text,
    pendingToolName: optional(textOrNull),
    pendingToolCallId: optional(textOrNull),
  },
  checkpoint_created: { runId: text, checkpointId: text, stepCount: count },
  executor_superseded: { reason: optional(textOrNull) },
  step_committed: { runId: text, stepId: text, checkpointId: text },
  step_discarded: { runId: text, stepId: text, reason: text },
  stream_resync: {
    checkpointId: text,
    stepCount: count,
    messageCount: count,
    fromSequence: count,
    reason: oneOf('crash_recovery', 'rollback', 'branch'),
  },
}));

/** Completes what the writer left out and the server knows, then checks. Throws a refusal that names the member. */
export function acceptChunk(value, { agentId, agentType }) {
  if (!isObject(value)) throw invalid('a chunk has to be a JSON object');
  const chunk = { agentId, agentType, timestamp: Date.now(), ...value };
  checkMembers(chunk, common);
  checkMembers(chunk, known.get(chunk.type) ?? {});
  return chunk;
}

/** Throws a refusal that names the first member that is not what `members` says. */
export function checkMembers(object, members) {
  for (const [member, { name, accepts }] of Object.entries(members)) {
    if (!accepts(object[member])) throw invalid(`${member} has to be ${name}`);
  }
}

function isOperation(operation) {
  if (!isObject(operation)) return false;
  const { op, path, from, value } = operation;
  if (!operators.accepts(op) || !pointer.accepts(path)) return false;
  if (op === 'move' || op === 'copy') return pointer.accepts(from);
  return op === 'remove' || value !== undefined;
}

export const kinds = { any, text, name, flag, count, kind, oneOf, optional };
