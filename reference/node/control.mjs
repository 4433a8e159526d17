// The control binding of spec/helix/control.md: each route decodes a body and calls one method of a stream. It lets a
// test provoke the server. Leave it out of what you put on the net.

import { checkMembers, isObject, kinds } from './chunks.mjs';
import { findStream } from './read.mjs';
import { invalid } from './refusal.mjs';

const { name, text, count, oneOf, optional } = kinds;

export function openWriter({ streams, params, body }) {
  const { agentId, agentType } = members(body, { agentId: name, agentType: name, runId: optional(text) });
  const stream = streams.get(params.stream) ?? streams.create(params.stream);
  const writerId = stream.openWriter({ agentId, agentType });
  return { status: 201, body: { writerId } };
}

export function writeChunks({ streams, params, body }) {
  const sequences = findStream(streams, params.stream).write(params.writer, body);
  return { status: 201, body: { sequences } };
}

export function closeWriter({ streams, params }) {
  findStream(streams, params.stream).closeWriter(params.writer);
  return { status: 204 };
}

export function endStream({ streams, params, body }) {
  const { finalOutput } = members(body, {});
  findStream(streams, params.stream).end({ finalOutput });
  return { status: 204 };
}

export function failStream({ streams, params, body }) {
  const { error, code } = members(body, { error: text, code: optional(text) });
  findStream(streams, params.stream).fail({ error, code });
  return { status: 204 };
}

export function setStatus({ streams, params, body }) {
  const { status } = members(body, { status: oneOf('paused', 'active') });
  findStream(streams, params.stream).setStatus(status);
  return { status: 204 };
}

export function cleanUp({ streams, params, body }) {
  const { stepCount } = members(body, { stepCount: count });
  findStream(streams, params.stream).cleanUp(stepCount);
  return { status: 204 };
}

export function reset({ streams, params }) {
  findStream(streams, params.stream).reset();
  return { status: 204 };
}

export function setInitialState({ streams, params, body }) {
  findStream(streams, params.stream).setInitialState(body);
  return { status: 204 };
}

export function deleteStream({ streams, runs, params }) {
  const stream = findStream(streams, params.stream);
  runs?.forget(stream);
  stream.close();
  streams.delete(params.stream);
  return { status: 204 };
}

function members(body, expected) {
  if (!isObject(body)) throw invalid('the body has to be a JSON object');
  checkMembers(body, expected);
  return body;
}
