// A chat route of helix-ui, everything in memory: routes, credentials, bodies, start and stop.

import http from 'node:http';
import { Chats } from './chat.mjs';
import { checkToken, parrot, readConformance } from './control.mjs';
import { refusal } from './refusal.mjs';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8083);
const tokens = (process.env.TOKENS ?? '').split(' ').filter(Boolean);
const longestBody = 16 * 1024 * 1024;
const chats = new Chats();

// Longer than clients keep idle connections, or a request meets one that is just being closed.
const server = http.createServer({ keepAliveTimeout: 75_000 }, async (request, response) => {
  try {
    await handle(request, response);
  } catch (error) {
    if (response.headersSent) return response.destroy();
    request.resume(); // or a client that is still sending doesn't read the answer
    send(response, error.status ?? 500, { error: error.status ? error.message : 'the server failed' });
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
  const [, control, name, rest = ''] = request.url.split('?')[0].match(/^(\/control)?\/chat\/([^/]+)(?:\/(.*))?$/) ?? [];
  const call = `${request.method} ${rest}`;
  if (control) {
    if (call !== 'POST release') throw refusal(404, 'there is nothing at this path');
    checkToken(request);
    chats.find(decode(name))?.release((await readBody(request)).barrier);
    return response.writeHead(204).end();
  }
  const user = userOf(request);
  if (call === 'POST ') return take(decode(name), user, request, response);
  if (call === 'GET stream') return resume(decode(name), user, request, response);
  if (call !== 'GET messages') throw refusal(404, 'there is nothing at this path');
  const chat = chats.of(user, decode(name));
  if (!chat) throw refusal(404, 'there is no such chat');
  return send(response, 200, { messages: chat.history() });
}

/** Takes a message of the user, or the client's answers to calls, and streams the response. */
async function take(name, user, request, response) {
  const body = await readBody(request);
  const last = Array.isArray(body.messages) ? body.messages.at(-1) : undefined;
  if (!Array.isArray(last?.parts)) throw refusal(400, 'the body is no object with messages');
  const conformance = readConformance(request, body, name);
  const chat = chats.open(user, name);
  const turn = last.role === 'assistant'
    ? chat.answer(last)
    : chat.ask({ ...last, role: 'user', metadata: body.metadata }, conformance ?? { script: parrot(last) });
  stream(turn, response, -1);
}

/** Sends the latest turn to a reader that comes back, after its id if it has one. */
function resume(name, user, request, response) {
  const cursor = request.headers['last-event-id'];
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw refusal(400, 'Last-Event-ID is no id of a part');
  const chat = chats.of(user, name);
  if (chat && cursor >= chat.nextId) throw refusal(400, 'Last-Event-ID is an id that no part has');
  const turn = chat?.turn;
  if (!turn || (turn.over && (cursor === undefined || turn.lastId <= cursor))) return response.writeHead(204).end();
  return stream(turn, response, Number(cursor ?? -1));
}

function stream(turn, response, after) {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'x-vercel-ai-ui-message-stream': 'v1',
  });
  response.flushHeaders();
  turn.read(response, after);
}

/** The user of a credential: its place in TOKENS. Without TOKENS all are the same user. */
function userOf(request) {
  const user = tokens.indexOf((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  if (user < 0 && tokens.length > 0) throw refusal(401, 'a bearer token is needed');
  return user;
}

// Decoded once, after the path was split: a name may hold a slash, or a percent sign.
function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw refusal(400, 'the path is not percent-encoded UTF-8');
  }
}

async function readBody(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > longestBody) throw refusal(413, 'the body is too large');
    parts.push(part);
  }
  try {
    const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
    if (body !== null && typeof body === 'object') return body;
  } catch { /* refused below */ }
  throw refusal(400, 'the body is no JSON object in UTF-8');
}

function send(response, status, body) {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  response.writeHead(status, headers).end(JSON.stringify(body));
}
