// The streams of one process, each with a store in memory.

import { Memory } from './memory.mjs';
import { Stream } from './stream.mjs';

export class Streams {
  #streams = new Map();

  get(id) {
    return this.#streams.get(id);
  }

  create(id) {
    const stream = new Stream(id, new Memory());
    this.#streams.set(id, stream);
    return stream;
  }

  delete(id) {
    this.#streams.delete(id);
  }

  [Symbol.iterator]() {
    return this.#streams.values();
  }
}
