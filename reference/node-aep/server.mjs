// A server of the Agent Event Protocol, everything in memory: routes, answers, start and stop.

import http from 'node:http';
import { agents } from './agent.mjs';
import { readBody } from './body.mjs';
import { checkToken, release } from './control.mjs';
import { Failure, asFailure, malformed } from './failure.mjs';
import { readRequest } from './request.mjs';
import { Run } from './run.mjs';
import { readScript } from './script.mjs';
import { Threads } from './thread.mjs';
import { loadUsers } from './user.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8081);
const heartbeatMs = Number(process.env.HEARTBEAT_MS ?? 10_000);
const messageBytes = Number(process.env.MESSAGE_BYTES ?? 64 * 1024);
const controlToken = process.env.CONTROL_TOKEN;
const graceMs = 1000;
// How many requests are remembered, so that one that is over can still be told from one that never was.
const rememberedRuns = 10_000;

const routes = [
  ['/v1/agents/:agent/stream', stream],
  ['/v1/agents/:agent/requests/:request/cancel', cancel],
  // Without a token there is no control binding: nobody can script the agent.
  ...(controlToken ? [['/control/aep/release', releaseBarrier]] : []),
].map(([template, handle]) => ({ segments: template.split('/'), handle }));

const users = loadUsers(process.env.USERS ?? new URL('users.json', import.meta.url));
const threads = new Threads();
const runs = new Map();

// Longer than clients keep idle connections, or a request meets one that is just being closed.
const server = http.createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
  try {
    const answer = await handle(request, response);
    if (answer) send(response, answer);
  } catch (error) {
    refuse(request, response, asFailure(error));
  }
});
server.listen(port, host, () => {
  const { address, port: actual } = server.address();
  console.log(`http://${address.includes(':') ? `[${address}]` : address}:${actual}`);
});
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

function handle(request, response) {
  const segments = request.url.split('?')[0].split('/');
  const route = routes.find((candidate) => matchesPath(candidate.segments, segments));
  if (!route) throw new Failure('route_not_found', 'there is nothing at this path');
  if (request.method !== 'POST') throw new Failure('method_not_allowed', 'this path takes POST', { Allow: 'POST' });
  const named = route.segments.flatMap((segment, i) =>
    segment.startsWith(':') ? [[segment.slice(1), decodeSegment(segments[i])]] : []);
  return route.handle({ request, response, params: Object.fromEntries(named) });
}

async function stream({ request, response, params }) {
  const user = users.of(request);
  user.count();
  const agent = agents.get(params.agent);
  if (!agent) throw new Failure('agent_not_found', 'there is no such agent');
  const asked = readRequest(await readBody(request), messageBytes);
  const thread = threads.find(asked.threadId, user);
  const run = new Run(user, params.agent);
  const script = takeScript(request, asked, run);
  // The last thing that can refuse. From here to the first event nothing waits, so nobody else gets in between.
  const taken = thread.take(asked.results);
  threads.keep(thread);
  remember(run);
  await run.answer({ ...agent, answer: script ?? agent.answer, thread, taken, request: asked, response, heartbeatMs });
}

// The agent that does what a request says, if there is a control binding. The script is no part of the context then.
function takeScript(request, asked, run) {
  const { conformance, ...context } = asked.context;
  if (!controlToken || conformance === undefined) return undefined;
  checkToken(request, controlToken);
  asked.context = context;
  return readScript(conformance, run);
}

async function cancel({ request, params }) {
  const user = users.of(request);
  const { reason } = await readBody(request);
  if (reason !== undefined && typeof reason !== 'string') throw malformed('reason has to be a text');
  const run = runs.get(params.request);
  // Somebody else's is answered like one that never was: what exists is nobody's business.
  if (!run || run.isOver || run.user !== user || run.agentId !== params.agent) {
    throw new Failure('request_not_found', 'there is no such request, or it is over');
  }
  run.cancel(reason);
  return { status: 202 };
}

async function releaseBarrier({ request }) {
  checkToken(request, controlToken);
  return release(runs, await readBody(request));
}

function remember(run) {
  runs.set(run.requestId, run);
  if (runs.size <= rememberedRuns) return;
  for (const [id, old] of runs) {
    if (old.isOver) return runs.delete(id);
  }
}

function matchesPath(template, segments) {
  if (template.length !== segments.length) return false;
  return template.every((segment, i) => (segment.startsWith(':') ? segments[i] !== '' : segment === segments[i]));
}

// Decoded once, after the path was split: a name may hold a slash, or a percent sign.
function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('the path is not percent-encoded UTF-8');
  }
}

function send(response, { status, body, headers }) {
  const head = { 'Cache-Control': 'no-store', ...headers };
  if (body === undefined) return response.writeHead(status, head).end();
  return response.writeHead(status, { ...head, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(request, response, failure) {
  if (response.headersSent || (request.destroyed && !request.complete)) return response.destroy();
  // What the client is still sending is read and forgotten, or it wouldn't hear the answer.
  request.resume();
  return send(response, { status: failure.status, body: failure.body, headers: failure.headers });
}

function stop() {
  server.close();
  for (const run of runs.values()) run.fail(new Failure('internal_error', 'the server is being stopped'));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
}
