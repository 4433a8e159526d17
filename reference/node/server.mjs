// A helix stream server, everything in memory: routes, answers, start and stop.

import http from 'node:http';
import { readBody } from './body.mjs';
import * as control from './control.mjs';
import { checkOrigin } from './origin.mjs';
import { info, read } from './read.mjs';
import { Refusal, invalid } from './refusal.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8080);
const timing = {
  heartbeatMs: Number(process.env.HEARTBEAT_MS ?? 10_000),
  stallMs: Number(process.env.STALL_MS ?? 30_000),
};
const graceMs = 1000;
const knownHosts = (process.env.ALLOW_HOST ?? '').split(',').filter(Boolean);

const routes = [
  ['GET', '/streams/:stream/events', read],
  ['GET', '/streams/:stream', info],
  ['POST', '/control/streams/:stream/writers', control.openWriter],
  ['POST', '/control/streams/:stream/writers/:writer/chunks', control.writeChunks],
  ['DELETE', '/control/streams/:stream/writers/:writer', control.closeWriter],
  ['POST', '/control/streams/:stream/end', control.endStream],
  ['POST', '/control/streams/:stream/fail', control.failStream],
  ['POST', '/control/streams/:stream/status', control.setStatus],
  ['POST', '/control/streams/:stream/cleanup', control.cleanUp],
  ['POST', '/control/streams/:stream/reset', control.reset],
  ['DELETE', '/control/streams/:stream', control.deleteStream],
].map(([method, template, handle]) => ({ method, segments: template.split('/'), handle }));

const streams = new Map();

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
  const { handle, params } = findRoute(request.method, path.split('/'));
  const query = new URLSearchParams(rest.join('?'));
  if (request.method === 'GET') {
    response.setHeader('Access-Control-Allow-Origin', '*');
    return handle({ streams, params, query, request, response, timing });
  }
  checkOrigin(request, knownHosts);
  return handle({ streams, params, body: await readBody(request) });
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
  for (const stream of streams.values()) stream.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
}
