// One attached reader. It doesn't queue chunks: it remembers how far it is in the log of its stream, and takes what
// comes next whenever its socket has room. A reader that stalls thus costs nobody anything but that socket, and what a
// cleanup removes is gone for it too.

const comment = ':\n\n';
const nothing = Buffer.alloc(0);
// A large event is written in slices, so that a reader that is slow can be told from one that takes nothing.
const sliceBytes = 64 * 1024;

export class Reader {
  #messages = [];
  #rest = nothing;
  #isLast = false;
  #blockedSince = 0;

  /** The connection is a response of node:http, or what does as that does: write, end, destroy, and its events. */
  constructor(stream, cursor, connection, { heartbeatMs, stallMs }) {
    this.stream = stream;
    this.cursor = cursor;
    this.connection = connection;
    const timer = setInterval(() => this.#beat(stallMs), heartbeatMs);
    connection.on('drain', () => this.#unblock());
    connection.on('close', () => {
      clearInterval(timer);
      stream.detach(this);
    });
  }

  /** Queues a message about the stream, to be sent when every chunk up to `after` is. */
  tell(event, after) {
    this.#messages.push({ event, after });
  }

  /** Sends what there is to send, as far as the socket takes it. */
  wake() {
    while (!this.#blockedSince) {
      if (this.#rest.length === 0) this.#rest = this.#next();
      if (this.#rest.length === 0) return;
      const part = this.#rest.subarray(0, sliceBytes);
      this.#rest = this.#rest.subarray(sliceBytes);
      if (!this.connection.write(part)) this.#blockedSince = Date.now();
      if (this.#isLast && this.#rest.length === 0) return this.#finish();
    }
  }

  /** Closes the body without a terminal frame: behind a whole frame, or at once if the socket takes no more. */
  cut() {
    this.stream.detach(this);
    if (this.#blockedSince) this.connection.destroy();
    else this.#finish();
  }

  #next() {
    const { terminal } = this.stream;
    const entry = this.stream.next(this.cursor);
    const message = this.#messages[0];
    if (message && !(entry?.sequence <= message.after)) return this.#messages.shift().event;
    if (entry) {
      this.cursor = entry.sequence;
      return entry.event;
    }
    if (!terminal) return nothing;
    this.#isLast = true;
    this.stream.detach(this);
    return Buffer.from(terminal.event);
  }

  #finish() {
    this.connection.end();
    // Nothing is written from here on, no comment either; only the stall limit looks after the socket.
    this.#blockedSince ||= Date.now();
  }

  #unblock() {
    if (this.connection.writableEnded) return;
    this.#blockedSince = 0;
    this.wake();
  }

  #beat(stallMs) {
    if (!this.#blockedSince) this.connection.write(comment);
    else if (Date.now() - this.#blockedSince > stallMs) this.connection.destroy();
  }
}
