// The routes of the protocol itself: reading a stream, and asking how it is.

import { Reader } from './reader.mjs';
import { Refusal, invalid, unknown } from './refusal.mjs';
import { takeSnapshot } from './snapshot.mjs';

export function findStream(streams, id) {
  const stream = streams.get(id);
  if (!stream) throw unknown('stream');
  return stream;
}

export function info({ streams, params }) {
  return { status: 200, body: findStream(streams, params.stream).info };
}

export function snapshot({ streams, params, query }) {
  const withPartialContent = query.get('includePartialContent') === 'true';
  return { status: 200, body: takeSnapshot(findStream(streams, params.stream), withPartialContent) };
}

const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };

/** 200 with a body that stays open, or 204 when nothing is left. */
export function read({ streams, params, query, headers, timing }) {
  const stream = findStream(streams, params.stream);
  const cursor = readCursor(headers['last-event-id'], query.getAll('fromSequence'));
  if (stream.terminal && cursor >= stream.terminal.id) return { status: 204 };
  // Such a reader could be sent neither the next chunks nor the terminal frame: all have lower ids.
  if (cursor > stream.lastId) throw new Refusal(416, 'the cursor is beyond everything that the stream has sent');
  return { status: 200, headers: head, open: (connection) => stream.attach(new Reader(stream, cursor, connection, timing)) };
}

/** The header decides; an empty cursor is none. */
function readCursor(header, queries) {
  if (header) return parseCursor(header, 'Last-Event-ID');
  if (queries.length > 1) throw invalid('fromSequence has to be there once');
  return queries[0] ? parseCursor(queries[0], 'fromSequence') : 0;
}

// Cursors above 2^53 lose digits here, which does no harm: no stream has come that far.
function parseCursor(text, name) {
  if (!/^[0-9]+$/.test(text)) throw invalid(`${name} has to be a non-negative decimal integer`);
  return Number(text);
}
