// One stream: what is written, counted, removed and finished, and who is told. Nothing here knows of HTTP, nor of where
// it is kept. Every method runs to its end before another begins, so counting and storing are one act.

import { randomUUID } from 'node:crypto';
import { acceptChunk } from './chunks.mjs';
import { encodeEvent, logEntry } from './entry.mjs';
import { conflict, unknown } from './refusal.mjs';

// What a stream is beside its log and its writers.
const beginning = {
  status: 'active',
  /** Of a finished stream its `{ id, event }`. */
  terminal: null,
  latestSequence: 0,
  // Chunks and terminal frames count with the same counter, so that what follows a reset is above both.
  lastId: 0,
  lastTime: 0,
  // What the patches of the root agent apply to, and who that is: the writer of the first chunk.
  initialState: {},
  rootAgent: null,
};

export class Stream {
  readers = new Set();
  #store;
  #facts;
  #isClosed = false;

  /** A new stream, or the one that the store has kept. */
  constructor(id, store) {
    this.id = id;
    this.#store = store;
    this.#facts = { ...beginning, ...store.facts };
    store.keep(this.#facts);
  }

  get status() {
    return this.#facts.status;
  }

  get terminal() {
    return this.#facts.terminal;
  }

  get latestSequence() {
    return this.#facts.latestSequence;
  }

  /** The highest id that any reader can have as its cursor. */
  get lastId() {
    return this.#facts.lastId;
  }

  get initialState() {
    return this.#facts.initialState;
  }

  get rootAgent() {
    return this.#facts.rootAgent;
  }

  get info() {
    return { status: this.status, latestSequence: this.latestSequence, chunkCount: this.#store.count };
  }

  /** Every entry that is stored, in order. */
  get log() {
    return this.#store.entries;
  }

  /** The first entry after a cursor, if there is one. */
  next(cursor) {
    return this.#store.next(cursor);
  }

  /** The time of day, which never goes back here. */
  now() {
    this.#keep({ lastTime: Math.max(this.#facts.lastTime, Date.now()) });
    return this.#facts.lastTime;
  }

  setInitialState(initialState) {
    if (this.#store.count > 0) throw conflict('the stream has chunks, which apply to the state that it has');
    this.#keep({ initialState });
  }

  openWriter(agent) {
    this.refuseIfFinished();
    const writerId = randomUUID();
    this.#store.setWriter(writerId, { ...agent, closed: false });
    return writerId;
  }

  closeWriter(writerId) {
    this.#store.setWriter(writerId, { ...this.#writer(writerId), closed: true });
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
    if (chunks.length === 0) return [];
    // The serialiser can fail, and nothing is stored before it hasn't.
    const entries = chunks.map((chunk, index) => logEntry(this.lastId + 1 + index, chunk));
    const last = entries.at(-1).sequence;
    this.#store.append(entries);
    this.#keep({ rootAgent: this.rootAgent ?? chunks[0].agentId, lastId: last, latestSequence: last });
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
    this.#keep({ status });
    this.#tellReaders({ type: 'status', status });
  }

  cleanUp(stepCount) {
    this.#remove(() => this.#store.removeAfter(stepCount), stepCount);
  }

  reset() {
    const wasPaused = this.status === 'paused';
    this.#keep({ terminal: null, rootAgent: null, status: 'active' });
    this.#remove(() => this.#store.removeAll(), 0);
    if (wasPaused) this.#tellReaders({ type: 'status', status: 'active' });
  }

  attach(reader) {
    if (this.#isClosed) return reader.cut();
    this.readers.add(reader);
    if (this.status === 'paused') reader.tell(encodeEvent({ type: 'status', status: 'paused' }), this.lastId);
    return reader.wake();
  }

  detach(reader) {
    this.readers.delete(reader);
  }

  /** Lets go of every reader, without a terminal frame. */
  close() {
    this.#isClosed = true;
    for (const reader of this.readers) reader.cut();
  }

  refuseIfFinished() {
    if (this.terminal) throw conflict('the stream is finished');
  }

  #writer(writerId) {
    const writer = this.#store.writer(writerId);
    if (!writer) throw unknown('writer');
    return writer;
  }

  #finish(status, frame) {
    this.refuseIfFinished();
    const id = this.lastId + 1;
    this.#keep({ terminal: { id, event: encodeEvent(frame, id).toString() }, lastId: id, status });
    this.#wakeReaders();
  }

  #remove(removeEntries, truncatedAtStep) {
    const before = this.#store.count;
    removeEntries();
    if (this.#store.count === before) return;
    this.#tellReaders({ type: 'truncated', truncatedAtStep, atSequence: this.latestSequence });
  }

  #keep(facts) {
    this.#store.keep(facts);
    Object.assign(this.#facts, facts);
  }

  #tellReaders(frame) {
    const event = encodeEvent(frame);
    for (const reader of this.readers) {
      reader.tell(event, this.lastId);
      reader.wake();
    }
  }

  #wakeReaders() {
    for (const reader of this.readers) reader.wake();
  }
}
