// The routes of the control binding that start and steer runs: each decodes a body and calls one method of a session.

import { checkMembers, isObject, kinds } from './chunks.mjs';
import { alreadyRunning, invalid } from './refusal.mjs';
import { checkSchema } from './schema.mjs';
import { checkScript } from './script.mjs';
import { Session } from './session.mjs';

const { flag, name, text, optional } = kinds;
const accepted = { status: 204 };

export const runRoutes = [
  ['POST', '/control/runs', startRun],
  ['GET', '/control/runs/:run', describe],
  ['POST', '/control/runs/:run/release', release],
  ['POST', '/control/runs/:run/interrupt', interrupt],
  ['POST', '/control/runs/:run/resume', resume],
  ['POST', '/control/runs/:run/tool-result', toolResult],
  ['POST', '/control/runs/:run/crash', crash],
  ['POST', '/control/runs/:run/rollback', rollBack],
  ['POST', '/control/runs/:run/branch', branch],
  ['POST', '/control/runs/:run/supersede', supersede],
  ['POST', '/control/runs/:run/retry', retry],
];

function startRun({ streams, runs, body }) {
  const { stream: id, agentType, script, outputSchema } = members(body, { stream: name, agentType: name });
  checkScript(script);
  if (outputSchema !== undefined) checkSchema(outputSchema);
  const stream = streams.get(id) ?? streams.create(id);
  if (runs.isAtWork(stream)) throw alreadyRunning('a run on this stream is not finished');
  stream.refuseIfFinished();
  const session = new Session({ stream, agentType, script, outputSchema, runs });
  session.start();
  return { status: 202, body: { runId: session.runId } };
}

function release(call) {
  const { barrier } = members(call.body, { barrier: name });
  findSession(call).release(barrier);
  return accepted;
}

function interrupt(call) {
  const { reason } = members(call.body, { reason: optional(text) });
  findSession(call).interrupt(reason);
  return accepted;
}

function resume(call) {
  const { mode, fromCheckpointId } = members(call.body, { mode: name, fromCheckpointId: optional(text) });
  findSession(call).resume(mode, fromCheckpointId);
  return accepted;
}

function toolResult(call) {
  const expected = { toolCallId: name, error: optional(text), approved: optional(flag) };
  const { toolCallId, ...answer } = members(call.body, expected);
  const given = ['result', 'error', 'approved'].filter((member) => Object.hasOwn(answer, member));
  if (given.length !== 1) throw invalid('there has to be one of result, error and approved');
  findSession(call).answer(toolCallId, answer);
  return accepted;
}

function crash(call) {
  findSession(call).crash();
  return accepted;
}

function supersede(call) {
  findSession(call).supersede();
  return accepted;
}

function retry(call) {
  const { checkpointId } = members(call.body, { checkpointId: optional(text) });
  findSession(call).retry(checkpointId);
  return accepted;
}

function rollBack(call) {
  const { checkpointId } = members(call.body, { checkpointId: name });
  findSession(call).rollback(checkpointId);
  return accepted;
}

function branch(call) {
  const { checkpointId } = members(call.body, { checkpointId: name });
  return { status: 200, body: { runId: findSession(call).branch(checkpointId).runId } };
}

async function describe(call) {
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
