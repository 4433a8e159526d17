// The scripted agent of spec/aep/control.md: it does what the request says, so that a test can provoke the server. It
// belongs into test builds only; server.mjs leaves it alone unless there is a control token.

import { randomUUID } from 'node:crypto';
import { isObject } from './body.mjs';
import { Failure, malformed } from './failure.mjs';

const isText = (value) => typeof value === 'string';
const isName = (value) => isText(value) && value !== '';
const isOneOf = (...values) => (value) => values.includes(value);

const isTool = (tool) => isObject(tool) && isName(tool.name) && isObject(tool.arguments)
  && (tool.error === undefined || isText(tool.error)) && (tool.summary === undefined || isText(tool.summary));
const isAction = (action) => isObject(action) && isName(action.kind) && 'payload' in action;

// What each act needs, and what the agent does.
const acts = {
  text: [isText, async function* (text) { yield* pieces(text, 'text'); }],
  thinking: [isText, async function* (text) { yield* pieces(text, 'thinking'); }],
  tool: [isTool, useTool],
  echo: [isOneOf('messages', 'history', 'results', 'context'), echo],
  continue: [isAction, async function* ({ kind, payload }) { yield { action: { kind, payload } }; }],
  fail: [isOneOf('agent_error', 'tool_error', 'internal_error'), fail],
  await: [isName, async function* (barrier, turn, run) { await run.barrier(barrier); }],
  hang: [isOneOf(true), async function* () { await new Promise(() => {}); }],
};

/** Checks what a request has in `context.conformance`, and returns an agent that does it. Refuses where it says so. */
export function readScript(conformance, run) {
  if (!isObject(conformance) || Object.keys(conformance).length !== 1) throw malformed('conformance has one member');
  const { script, refuse } = conformance;
  if (refuse !== undefined) throw refusal(refuse);
  if (!Array.isArray(script)) throw malformed('script has to be an array of acts');
  script.forEach(checkAct);
  return async function* scripted(turn) {
    for (const act of script) {
      const [[name, value]] = Object.entries(act);
      yield* acts[name][1](value, turn, run);
    }
  };
}

function refusal(code) {
  if (!isOneOf('internal_error', 'stream_timeout')(code)) return malformed('refuse has a code that is not for it');
  return new Failure(code, 'the request was meant to fail');
}

function checkAct(act, index, script) {
  const [name, ...others] = isObject(act) ? Object.keys(act) : [];
  if (name === undefined || others.length > 0) throw malformed('an act is an object with one member');
  if (!Object.hasOwn(acts, name)) throw new Failure('act_not_implemented', 'the script has an act that is not known');
  const [isValid] = acts[name];
  if (!isValid(act[name])) throw malformed(`the act ${name} has another shape`);
  const next = script[index + 1];
  if (next !== undefined && name === 'fail') throw malformed('fail has to be the last act');
  if (next !== undefined && name === 'continue' && !('continue' in Object(next))) {
    throw malformed('only further continue may follow one');
  }
}

// A model says what it says in pieces, and where they end is not its concern: it may be inside of a character.
function* pieces(text, kind) {
  const size = Math.max(8, Math.ceil(text.length / 16));
  for (let i = 0; i < text.length; i += size) yield { [kind]: text.slice(i, i + size) };
}

async function* useTool({ name, arguments: args, error, summary }) {
  const toolCallId = randomUUID();
  yield { call: { toolCallId, toolName: name, args } };
  const status = error === undefined ? 'success' : 'error';
  const words = error === undefined ? `${name} is done` : `${name} failed`;
  yield { outcome: { toolCallId, status, summary: summary ?? words } };
}

async function* echo(what, { texts, history, results, context }) {
  yield* pieces(JSON.stringify({ messages: texts, history, results, context }[what]), 'text');
}

async function* fail(code) {
  throw new Failure(code, 'the script ends here');
}
