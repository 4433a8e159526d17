// A helix stream server, everything in memory: routes, answers, start and stop.

import http from 'node:http';
import { readBody } from './body.mjs';
import * as control from './control.mjs';
import { checkOrigin } from './origin.mjs';
import { checkCredential } from './credential.mjs';
import { info, read, snapshot } from './read.mjs';
import { Refusal, invalid } from './refusal.mjs';
import { Runs } from './runs.mjs';
import * as steering from './steering.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8080);
const timing = {
  heartbeatMs: Number(process.env.HEARTBEAT_MS ?? 10_000),
  stallMs: Number(process.env.STALL_MS ?? 30_000),
};
const graceMs = 1000;
// Pages of other origins may read, and send a credential and a cursor with that.
const preflight = { status: 204, headers: { 'Access-Control-Allow-Headers': 'Authorization, Last-Event-ID' } };
const knownHosts = (process.env.ALLOW_HOST ?? '').split(',').filter(Boolean);

const token = process.env.TOKEN ?? '';

const routes = [
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
  ['POST', '/control/runs', steering.startRun],
  ['GET', '/control/runs/:run', steering.describe],
  ['POST', '/control/runs/:run/release', steering.release],
  ['POST', '/control/runs/:run/interrupt', steering.interrupt],
  ['POST', '/control/runs/:run/resume', steering.resume],
  ['POST', '/control/runs/:run/tool-result', steering.toolResult],
  ['POST', '/control/runs/:run/crash', steering.crash],
  ['POST', '/control/runs/:run/rollback', steering.rollBack],
  ['POST', '/control/runs/:run/branch', steering.branch],
  ['POST', '/control/runs/:run/supersede', steering.supersede],
  ['POST', '/control/runs/:run/retry', steering.retry],
].map(([method, template, handle]) => ({ method, segments: template.split('/'), handle }));

const store = { streams: new Map(), runs: new Runs() };

// Longer than clients keep idle connections, or a request meets one that is just being closed.
const server = http.createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
  try {
    const answer = await handle(request, response);
    if (answer) send(response, answer);
  } catch (error) {
    refuse(request, response, error);
  }
});
server.listen(port, host, () => {
  const { address, port: actual } = server.address();
  console.log(`http://${address.includes(':') ? `[${address}]` : address}:${actual}`);
});
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

async function handle(request, response) {
  // The path is never handed to URL, which would resolve the `..` that a stream may be called.
  const [path, ...rest] = request.url.split('?');
  const isControl = path.startsWith('/control/');
  if (!isControl) response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'OPTIONS') return preflight;
  checkCredential(request, token);
  const { handle, params } = findRoute(request.method, path.split('/'));
  const call = { ...store, params, query: new URLSearchParams(rest.join('?')) };
  if (!isControl) return handle({ ...call, request, response, timing });
  checkOrigin(request, knownHosts);
  return handle({ ...call, body: await readBody(request) });
}

function findRoute(method, segments) {
  const matches = routes.filter((route) => matchesPath(route.segments, segments));
  if (matches.length === 0) throw new Refusal(404, 'there is nothing at this path');
  const route = matches.find((candidate) => candidate.method === method);
  if (!route) throw methodNotAllowed(matches.map((match) => match.method).join(', '));
  const named = route.segments.flatMap((segment, i) =>
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

// Decoded once, after the path was split: an id may hold a slash, or a percent sign.
function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('the path is not percent-encoded UTF-8');
  }
}

function send(response, { status, body, headers }) {
  const head = { 'Cache-Control': 'no-store', ...headers };
  if (body === undefined) return response.writeHead(status, head).end();
  return response.writeHead(status, { ...head, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(request, response, error) {
  if (response.headersSent || (request.destroyed && !request.complete)) return response.destroy();
  const { status, message, code, headers } = asRefusal(error);
  return send(response, { status, body: { error: message, code }, headers });
}

function asRefusal(error) {
  if (error instanceof Refusal) return error;
  // Deeper nesting than the serialiser can follow is the writer's doing.
  if (error instanceof RangeError) return invalid('the body is nested too deeply');
  console.error(error);
  return new Refusal(500, 'the server failed to answer', 'framework_internal_error');
}

function stop() {
  server.close();
  for (const stream of store.streams.values()) stream.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
}
