// The routes of the control binding that steer runs: each decodes a body and calls one method of a session.

import { checkMembers, isObject, kinds } from './chunks.mjs';
import { alreadyRunning, invalid } from './refusal.mjs';
import { checkSchema } from './schema.mjs';
import { checkScript } from './script.mjs';
import { Session } from './session.mjs';
import { Stream } from './stream.mjs';

const { flag, name, text, optional } = kinds;
const accepted = { status: 204 };

export function startRun({ streams, runs, body }) {
  const { stream: id, agentType, script, outputSchema } = members(body, { stream: name, agentType: name });
  checkScript(script);
  if (outputSchema !== undefined) checkSchema(outputSchema);
  const stream = streams.get(id) ?? new Stream(id);
  if (runs.isAtWork(stream)) throw alreadyRunning('a run on this stream is not finished');
  stream.refuseIfFinished();
  streams.set(id, stream);
  const session = new Session({ stream, agentType, script, outputSchema, runs });
  session.start();
  return { status: 202, body: { runId: session.runId } };
}

export function release(call) {
  const { barrier } = members(call.body, { barrier: name });
  findSession(call).release(barrier);
  return accepted;
}

export function interrupt(call) {
  const { reason } = members(call.body, { reason: optional(text) });
  findSession(call).interrupt(reason);
  return accepted;
}

export function resume(call) {
  const { mode, fromCheckpointId } = members(call.body, { mode: name, fromCheckpointId: optional(text) });
  findSession(call).resume(mode, fromCheckpointId);
  return accepted;
}

export function toolResult(call) {
  const expected = { toolCallId: name, error: optional(text), approved: optional(flag) };
  const { toolCallId, ...answer } = members(call.body, expected);
  const given = ['result', 'error', 'approved'].filter((member) => Object.hasOwn(answer, member));
  if (given.length !== 1) throw invalid('there has to be one of result, error and approved');
  findSession(call).answer(toolCallId, answer);
  return accepted;
}

export function crash(call) {
  findSession(call).crash();
  return accepted;
}

export function supersede(call) {
  findSession(call).supersede();
  return accepted;
}

export function retry(call) {
  const { checkpointId } = members(call.body, { checkpointId: optional(text) });
  findSession(call).retry(checkpointId);
  return accepted;
}

export function rollBack(call) {
  const { checkpointId } = members(call.body, { checkpointId: name });
  findSession(call).rollback(checkpointId);
  return accepted;
}

export function branch(call) {
  const { checkpointId } = members(call.body, { checkpointId: name });
  return { status: 200, body: { runId: findSession(call).branch(checkpointId).runId } };
}

export async function describe(call) {
  const session = findSession(call);
  if (call.query.has('settled')) await session.settled();
  return { status: 200, body: session.describe() };
}

function findSession({ runs, params }) {
  return runs.sessionOf(params.run);
}

function members(body, expected) {
  if (!isObject(body)) throw invalid('the body has to be a JSON object');
  checkMembers(body, expected);
  return body;
}
