// What is logged and sent: a chunk at its sequence, and events of the wire.

export function logEntry(sequence, chunk) {
  return { sequence, step: chunk.step, chunk, event: encodeEvent({ type: 'chunk', sequence, chunk }, sequence) };
}

/** The bytes of an event; without an id it is no cursor. */
export function encodeEvent(frame, id) {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  // JSON has no line break of its own and escapes those of its strings, so one data line is always enough.
  return Buffer.from(`${idLine}data: ${JSON.stringify(frame)}\n\n`);
}
