// A helix stream server on node:http, everything in memory: start, stop, and how requests and answers are carried.

import http from 'node:http';
import { answer, settingsFrom, streamRoutes } from './protocol.mjs';
import { Runs } from './runs.mjs';
import { runRoutes } from './steering.mjs';
import { Streams } from './streams.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8080);
const graceMs = 1000;

const streams = new Streams();
const routes = [...streamRoutes, ...runRoutes];
const context = { routes, streams, runs: new Runs(), settings: settingsFrom(process.env) };

// Longer than clients keep idle connections, or a request meets one that is just being closed.
const server = http.createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
  const { method, url: target, headers } = request;
  const result = await answer({ method, target, headers, body: request }, context);
  // Whoever hung up in the middle of a body hears nothing.
  if (request.destroyed && !request.complete) response.destroy();
  else send(response, result);
});
server.listen(port, host, () => {
  const { address, port: actual } = server.address();
  console.log(`http://${address.includes(':') ? `[${address}]` : address}:${actual}`);
});
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

function send(response, { status, headers, body, open }) {
  response.writeHead(status, headers);
  if (!open) return response.end(body);
  // Without this the head waits for the first frame.
  response.flushHeaders();
  return open(response);
}

function stop() {
  server.close();
  for (const stream of streams) stream.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), graceMs).unref();
}
