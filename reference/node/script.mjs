// Scripts: what takes the place of a model and its tools in a test. This module only says whether one is sound.

import { checkMembers, isObject, kinds } from './chunks.mjs';
import { stopReasons } from './failure.mjs';
import { invalid } from './refusal.mjs';

const { any, text, name, flag, count, kind, oneOf, optional } = kinds;
const list = kind('an array', Array.isArray);
const limit = kind('an integer of at least 1', (value) => count.accepts(value) && value > 0);

const members = {
  tool: {
    name,
    error: optional(text),
    approval: optional(oneOf(true, false, 'broken')),
    client: optional(flag),
    waits: optional(name),
  },
  custom: { eventName: name },
  set: { key: name, value: any },
  append: { key: name, items: list },
  delete: { key: name },
  subagent: { type: name, script: list, error: optional(text), timeoutMs: optional(limit) },
  error: { message: text, code: optional(text), retryable: optional(flag), last: optional(flag), abort: optional(flag) },
};
const values = { text, thinking: text, stop: oneOf(...stopReasons), await: name, output: any, parallel: list };

/** Throws a refusal if the script is not an array of steps, each an array of acts. */
export function checkScript(script) {
  eachList(script, 'a script', (step) => eachAct(step));
}

function eachAct(step) {
  for (const act of step) {
    const entries = isObject(act) ? Object.entries(act) : [];
    if (entries.length !== 1) throw invalid('an act has to be an object with one member');
    checkAct(...entries[0]);
  }
}

function checkAct(type, value) {
  if (Object.hasOwn(members, type)) {
    if (!isObject(value)) throw invalid(`${type} has to be an object`);
    checkMembers(value, members[type]);
  } else if (Object.hasOwn(values, type)) {
    checkMembers({ [type]: value }, { [type]: values[type] });
  } else throw invalid(`there is no act ${type}`);
  if (type === 'parallel') eachList(value, 'parallel', eachAct);
  if (type === 'subagent') checkScript(value.script);
}

function eachList(lists, what, check) {
  if (!Array.isArray(lists) || !lists.every(Array.isArray)) throw invalid(`${what} has to be an array of arrays`);
  lists.forEach(check);
}
