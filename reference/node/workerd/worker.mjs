// The same server under workerd: one Durable Object for each stream, which keeps it in SQLite. All requests for a stream
// come to its object, wherever they were sent to, so there is one log and one counter of it.

import { DurableObject } from 'cloudflare:workers';
import { answer, decodeSegment, settingsFrom, streamRoutes as routes } from '../protocol.mjs';
import { Stream } from '../stream.mjs';
import { Connection } from './connection.mjs';
import { Sqlite } from './sqlite.mjs';

// What a request that names no stream is answered over: there is none at its path.
const noStreams = { get: () => undefined };
// The URL of a request to an object is resolved; this header keeps it as it was sent.
const targetHeader = 'x-streamcert-target';

export default {
  fetch(request, env) {
    const target = targetOf(request.url);
    const id = streamIn(target);
    if (id === undefined) return respond(request, target, noStreams, env);
    const headers = new Headers(request.headers);
    headers.set(targetHeader, target);
    return env.STREAMS.get(env.STREAMS.idFromName(id)).fetch(new Request(request, { headers }));
  },
};

/** One stream. It is made anew from its store after every restart, and whenever nobody has asked for a while. */
export class StreamObject extends DurableObject {
  #stream;

  async fetch(request) {
    return respond(request, request.headers.get(targetHeader), this, this.env);
  }

  get(id) {
    const store = new Sqlite(this.ctx.storage);
    if (!this.#stream && store.exists) this.#stream = new Stream(id, store);
    return this.#stream;
  }

  create(id) {
    const store = new Sqlite(this.ctx.storage);
    store.create();
    this.#stream = new Stream(id, store);
    return this.#stream;
  }

  delete() {
    this.#stream = undefined;
    new Sqlite(this.ctx.storage).drop();
  }
}

async function respond({ method, headers, body }, target, streams, env) {
  const request = { method, target, headers: Object.fromEntries(headers), body: body ?? [] };
  const result = await answer(request, { routes, streams, settings: settingsFrom(env) });
  const head = { status: result.status, headers: result.headers };
  if (!result.open) return new Response(result.body, head);
  const connection = new Connection();
  result.open(connection);
  return new Response(connection.body, head);
}

function targetOf(url) {
  return url.replace(/^[a-z]+:\/\/[^/?]*/i, '');
}

/** The id of the stream that a path is about, if it is about one and can be read. */
function streamIn(target) {
  const [, segment] = /^(?:\/control)?\/streams\/([^/?]+)/.exec(target) ?? [];
  try {
    return segment === undefined ? undefined : decodeSegment(segment);
  } catch {
    return undefined;
  }
}
