// One stream: a log, a counter, a status, the writers and the attached readers. Nothing here knows of HTTP. Every
// method runs to its end before another begins, so counting and storing are one act.

import { randomUUID } from 'node:crypto';
import { acceptChunk } from './chunks.mjs';
import { conflict, unknown } from './refusal.mjs';

export class Stream {
  status = 'active';
  log = [];
  readers = new Set();
  terminal = null;
  latestSequence = 0;
  // What the patches of the root agent apply to, and who that is: the writer of the first chunk.
  initialState = {};
  rootAgent = null;
  // Chunks and terminal frames count with the same counter, so that what follows a reset is above both.
  #lastId = 0;
  #lastTime = 0;
  #writers = new Map();

  constructor(id) {
    this.id = id;
  }

  get info() {
    return { status: this.status, latestSequence: this.latestSequence, chunkCount: this.log.length };
  }

  /** The highest id that any reader can have as its cursor. */
  get lastId() {
    return this.#lastId;
  }

  /** The time of day, which never goes back here. */
  now() {
    this.#lastTime = Math.max(this.#lastTime, Date.now());
    return this.#lastTime;
  }

  setInitialState(state) {
    if (this.log.length > 0) throw conflict('the stream has chunks, which apply to the state that it has');
    this.initialState = state;
  }

  openWriter(agent) {
    this.refuseIfFinished();
    const writerId = randomUUID();
    this.#writers.set(writerId, { ...agent, closed: false });
    return writerId;
  }

  closeWriter(writerId) {
    this.#writer(writerId).closed = true;
  }

  /** Stores one chunk or an array of them, all or none, and returns their sequences. */
  write(writerId, body) {
    const writer = this.#writer(writerId);
    if (writer.closed) throw conflict('the writer is closed');
    this.refuseIfFinished();
    return this.append((Array.isArray(body) ? body : [body]).map((value) => acceptChunk(value, writer)));
  }

  /** Stores chunks that are known to be sound, all or none, and returns their sequences. */
  append(chunks) {
    this.refuseIfFinished();
    // The serialiser can fail, and nothing is stored before it hasn't.
    const entries = chunks.map((chunk, index) => logEntry(this.#lastId + 1 + index, chunk));
    for (const entry of entries) this.log.push(entry);
    this.rootAgent ??= chunks[0]?.agentId ?? null;
    if (entries.length > 0) this.#lastId = this.latestSequence = entries.at(-1).sequence;
    this.#wakeReaders();
    return entries.map((entry) => entry.sequence);
  }

  end(result) {
    this.#finish('ended', { type: 'end', streamId: this.id, timestamp: this.now(), ...result });
  }

  fail(failure) {
    this.#finish('failed', { type: 'fail', ...failure });
  }

  setStatus(status) {
    this.refuseIfFinished();
    if (status === this.status) return;
    this.status = status;
    this.#tellReaders({ type: 'status', status });
  }

  cleanUp(stepCount) {
    this.#remove((entry) => entry.step > stepCount, stepCount);
  }

  reset() {
    const wasPaused = this.status === 'paused';
    this.terminal = null;
    this.rootAgent = null;
    this.status = 'active';
    this.#remove(() => true, 0);
    if (wasPaused) this.#tellReaders({ type: 'status', status: 'active' });
  }

  attach(reader) {
    this.readers.add(reader);
    if (this.status === 'paused') reader.tell(encodeEvent({ type: 'status', status: 'paused' }), this.#lastId);
    reader.wake();
  }

  detach(reader) {
    this.readers.delete(reader);
  }

  /** Lets go of every reader, without a terminal frame. */
  close() {
    for (const reader of this.readers) reader.cut();
  }

  /** Where in the log the chunks after a cursor begin. */
  indexAfter(cursor) {
    let low = 0;
    let high = this.log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.log[middle].sequence > cursor) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #writer(writerId) {
    const writer = this.#writers.get(writerId);
    if (!writer) throw unknown('writer');
    return writer;
  }

  refuseIfFinished() {
    if (this.terminal) throw conflict('the stream is finished');
  }

  #finish(status, frame) {
    this.refuseIfFinished();
    const id = this.#lastId + 1;
    this.terminal = { id, event: encodeEvent(frame, id) };
    this.#lastId = id;
    this.status = status;
    this.#wakeReaders();
  }

  #remove(isRemoved, truncatedAtStep) {
    const kept = this.log.filter((entry) => !isRemoved(entry));
    if (kept.length === this.log.length) return;
    this.log = kept;
    this.#tellReaders({ type: 'truncated', truncatedAtStep, atSequence: this.latestSequence });
  }

  #tellReaders(frame) {
    const event = encodeEvent(frame);
    for (const reader of this.readers) {
      reader.tell(event, this.#lastId);
      reader.wake();
    }
  }

  #wakeReaders() {
    for (const reader of this.readers) reader.wake();
  }
}

function logEntry(sequence, chunk) {
  return { sequence, step: chunk.step, chunk, event: encodeEvent({ type: 'chunk', sequence, chunk }, sequence) };
}

// JSON has no line break of its own and escapes those of its strings, so one data line is always enough.
function encodeEvent(frame, id) {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${idLine}data: ${JSON.stringify(frame)}\n\n`);
}
