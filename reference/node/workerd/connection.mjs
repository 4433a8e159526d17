// The connection of a reader under workerd: the body of its response, with what a reader uses of a response of node:http.

import { EventEmitter } from 'node:events';

const bufferBytes = 64 * 1024;

export class Connection extends EventEmitter {
  writableEnded = false;
  #isFull = false;
  #controller;
  body = new ReadableStream({
    start: (controller) => { this.#controller = controller; },
    pull: () => this.#drain(),
    cancel: () => this.#close(),
  }, new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }));

  /** Takes everything; false says that there is no room for more now. */
  write(part) {
    if (this.writableEnded) return false;
    this.#controller.enqueue(typeof part === 'string' ? Buffer.from(part) : part);
    this.#isFull = this.#controller.desiredSize <= 0;
    return !this.#isFull;
  }

  end() {
    if (this.writableEnded) return;
    this.#controller.close();
    this.#close();
  }

  destroy() {
    if (this.writableEnded) return;
    this.#controller.error(new Error('the reader is cut'));
    this.#close();
  }

  // It is asked for more in the midst of a write, too. Whoever writes is told afterwards.
  #drain() {
    if (!this.#isFull) return;
    this.#isFull = false;
    queueMicrotask(() => this.emit('drain'));
  }

  #close() {
    this.writableEnded = true;
    this.emit('close');
  }
}
