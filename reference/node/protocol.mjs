// What a server does with a request, whoever carries it: routes, checks and answers. A request is
// `{ method, target, headers, body }`, where `for await` reads the body. An answer is `{ status, headers, body }`, where the
// body is a text; a stream has `open` in its place, which takes the connection that events go out on.

import { readBody } from './body.mjs';
import * as control from './control.mjs';
import { checkOrigin } from './origin.mjs';
import { checkCredential } from './credential.mjs';
import { info, read, snapshot } from './read.mjs';
import { Refusal, invalid } from './refusal.mjs';

/** The routes of streams, of the protocol and of the control binding. Those of runs are in steering.mjs. */
export const streamRoutes = [
  ['GET', '/streams/:stream/events', read],
  ['GET', '/streams/:stream', info],
  ['GET', '/streams/:stream/snapshot', snapshot],
  ['POST', '/control/streams/:stream/writers', control.openWriter],
  ['POST', '/control/streams/:stream/writers/:writer/chunks', control.writeChunks],
  ['DELETE', '/control/streams/:stream/writers/:writer', control.closeWriter],
  ['POST', '/control/streams/:stream/end', control.endStream],
  ['POST', '/control/streams/:stream/fail', control.failStream],
  ['POST', '/control/streams/:stream/status', control.setStatus],
  ['POST', '/control/streams/:stream/cleanup', control.cleanUp],
  ['POST', '/control/streams/:stream/reset', control.reset],
  ['PUT', '/control/streams/:stream/state', control.setInitialState],
  ['DELETE', '/control/streams/:stream', control.deleteStream],
];

// Pages of other origins may read, and send a credential and a cursor with that.
const preflight = { status: 204, headers: { 'Access-Control-Allow-Headers': 'Authorization, Last-Event-ID' } };

/** What a server is set to, read from its environment. */
export function settingsFrom(environment) {
  const { TOKEN, HEARTBEAT_MS, STALL_MS, ALLOW_HOST } = environment;
  const timing = { heartbeatMs: Number(HEARTBEAT_MS ?? 10_000), stallMs: Number(STALL_MS ?? 30_000) };
  return { token: TOKEN ?? '', timing, knownHosts: (ALLOW_HOST ?? '').split(',').filter(Boolean) };
}

/** Answers a request by the routes of a server, over its streams and runs. It never throws. */
export async function answer(request, { settings, ...server }) {
  // The path is never handed to URL, which would resolve the `..` that a stream may be called.
  const [path, ...rest] = request.target.split('?');
  const isControl = path.startsWith('/control/');
  const query = new URLSearchParams(rest.join('?'));
  const result = await handle(request, { ...server, ...settings, path, query, isControl }).then(asText).catch(asAnswer);
  return { ...result, headers: headersOf(result, isControl) };
}

async function handle(request, { routes, path, isControl, token, knownHosts, ...server }) {
  if (request.method === 'OPTIONS') return preflight;
  checkCredential(request, token);
  const { handle, params } = findRoute(routes, request.method, path.split('/'));
  const call = { ...server, headers: request.headers, params };
  if (!isControl) return handle(call);
  checkOrigin(request, knownHosts);
  return handle({ ...call, body: await readBody(request.body) });
}

// The serialiser can fail, too.
function asText(result) {
  return { ...result, body: JSON.stringify(result.body) };
}

function headersOf({ headers, body, open }, isControl) {
  return {
    ...(isControl ? {} : { 'Access-Control-Allow-Origin': '*' }),
    ...(open ? {} : { 'Cache-Control': 'no-store' }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
}

function findRoute(routes, method, segments) {
  const matches = routes.map(([method, path, handle]) => ({ method, template: path.split('/'), handle }))
    .filter(({ template }) => matchesPath(template, segments));
  if (matches.length === 0) throw new Refusal(404, 'there is nothing at this path');
  const route = matches.find((candidate) => candidate.method === method);
  if (!route) throw methodNotAllowed(matches.map((match) => match.method).join(', '));
  const named = route.template.flatMap((segment, i) =>
    segment.startsWith(':') ? [[segment.slice(1), decodeSegment(segments[i])]] : []);
  return { handle: route.handle, params: Object.fromEntries(named) };
}

function methodNotAllowed(methods) {
  return new Refusal(405, `this path takes ${methods}`, undefined, { Allow: methods });
}

function matchesPath(template, segments) {
  if (template.length !== segments.length) return false;
  return template.every((segment, i) => (segment.startsWith(':') ? segments[i] !== '' : segment === segments[i]));
}

/** Decoded once, after the path was split: an id may hold a slash, or a percent sign. */
export function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('the path is not percent-encoded UTF-8');
  }
}

function asAnswer(error) {
  const { status, message, code, headers } = asRefusal(error);
  return asText({ status, body: { error: message, code }, headers });
}

function asRefusal(error) {
  if (error instanceof Refusal) return error;
  // Deeper nesting than the serialiser can follow is the writer's doing.
  if (error instanceof RangeError) return invalid('the body is nested too deeply');
  console.error(error);
  return new Refusal(500, 'the server failed to answer', 'framework_internal_error');
}
