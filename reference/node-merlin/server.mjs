// A streamer of two versions, everything in memory: routes, answers, start and stop.

import http from 'node:http';
import { Controls, readScript } from './control.mjs';
import { Answer } from './model.mjs';
import { Stream } from './stream.mjs';
import { V1 } from './v1.mjs';
import { V2 } from './v2.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8082);
const controls = new Controls(process.env.CONTROL_TOKEN);
const longestBody = 16 * 1024 * 1024;
const versions = new Map([['/merlin/v1/stream', V1], ['/merlin/v2/stream', V2]]);

// Longer than clients keep idle connections, or a request meets one that is just being closed.
const server = http.createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
  try {
    await handle(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, error.status ?? 500, error.status ? error.message : 'the server failed');
  }
});
server.listen(port, host, () => console.log(`http://${host}:${server.address().port}`));
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}

async function handle(request, response) {
  const path = request.url.split('?')[0];
  const [, stream, call] = path.match(/^\/control\/merlin\/([^/]+)\/(release|aggregate)$/) ?? [];
  if (call === 'aggregate' && request.method === 'GET') {
    return send(response, 200, controls.aggregate(request, decodeURIComponent(stream)));
  }
  if (request.method !== 'POST' || !(call === 'release' || versions.has(path))) return refuse(response, 404, 'there is nothing at this path');
  const body = await readBody(request);
  if (call === 'release') {
    controls.release(request, decodeURIComponent(stream), body.barrier);
    return response.writeHead(204).end();
  }
  return streamTo(response, versions.get(path), request, body);
}

async function streamTo(response, Version, request, body) {
  if (typeof body.message !== 'string') return refuse(response, 400, 'a request has a message');
  const script = controls.isOpen ? readScript(body.conformance) : undefined;
  if (script) controls.check(request);
  const run = script ? controls.begin(script) : new Answer(body.message);
  const stream = new Stream(response, () => run.stop());
  const streamer = new Version(stream, run.start);
  await streamer.play(run);
  run.total = streamer.total.finish(run.failed);
  stream.end();
}

async function readBody(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > longestBody) throw Object.assign(new Error('the body is too large'), { status: 413 });
    parts.push(part);
  }
  try {
    const body = JSON.parse(Buffer.concat(parts).toString());
    if (body !== null && typeof body === 'object') return body;
  } catch { /* refused below */ }
  throw Object.assign(new Error('the body is no JSON object'), { status: 400 });
}

function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response, status, error) {
  send(response, status, { error });
}
