// What a stream is kept in: here an array and two maps, which a restart takes. Put your store in its place; the other
// one is workerd/sqlite.mjs. Its methods return when what they were told is stored, and don't wait on the way, so that
// whatever a stream does in one go is stored in one go.

export class Memory {
  #log = [];
  #facts = new Map();
  #writers = new Map();

  /** What was kept by name, as one object. */
  get facts() {
    return Object.fromEntries(this.#facts);
  }

  /** Keeps values by name, each in place of the one before. */
  keep(facts) {
    for (const [name, value] of Object.entries(facts)) this.#facts.set(name, value);
  }

  writer(id) {
    return this.#writers.get(id);
  }

  setWriter(id, writer) {
    this.#writers.set(id, writer);
  }

  /** The whole log, in the order of its sequences. */
  get entries() {
    return this.#log;
  }

  get count() {
    return this.#log.length;
  }

  append(entries) {
    for (const entry of entries) this.#log.push(entry);
  }

  /** The first entry after a cursor, if there is one. */
  next(cursor) {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log[middle].sequence > cursor) high = middle;
      else low = middle + 1;
    }
    return this.#log[low];
  }

  /** Removes the entries of later steps than one. */
  removeAfter(step) {
    this.#log = this.#log.filter((entry) => !(entry.step > step));
  }

  removeAll() {
    this.#log = [];
  }
}
