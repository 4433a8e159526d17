// One attached reader. It doesn't queue chunks: it remembers how far it is in the log of its stream, and takes what
// comes next whenever its socket has room. A reader that stalls thus costs nobody anything but that socket, and what a
// cleanup removes is gone for it too.

const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };
const comment = ':\n\n';
const nothing = Buffer.alloc(0);
// A large event is written in slices, so that a reader that is slow can be told from one that takes nothing.
const sliceBytes = 64 * 1024;

export class Reader {
  #messages = [];
  #rest = nothing;
  #isLast = false;
  #blockedSince = 0;

  constructor(stream, cursor, response, { heartbeatMs, stallMs }) {
    this.stream = stream;
    this.cursor = cursor;
    this.response = response;
    response.writeHead(200, head);
    // Without this the head waits for the first frame.
    response.flushHeaders();
    const timer = setInterval(() => this.#beat(stallMs), heartbeatMs);
    response.on('drain', () => this.#unblock());
    response.on('close', () => {
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
      if (!this.response.write(part)) this.#blockedSince = Date.now();
      if (this.#isLast && this.#rest.length === 0) return this.#finish();
    }
  }

  /** Closes the body without a terminal frame: behind a whole frame, or at once if the socket takes no more. */
  cut() {
    this.stream.detach(this);
    if (this.#blockedSince) this.response.destroy();
    else this.#finish();
  }

  #next() {
    const { log, terminal } = this.stream;
    const entry = log[this.stream.indexAfter(this.cursor)];
    const message = this.#messages[0];
    if (message && !(entry?.sequence <= message.after)) return this.#messages.shift().event;
    if (entry) {
      this.cursor = entry.sequence;
      return entry.event;
    }
    if (!terminal) return nothing;
    this.#isLast = true;
    this.stream.detach(this);
    return terminal.event;
  }

  #finish() {
    this.response.end();
    // Nothing is written from here on, no comment either; only the stall limit looks after the socket.
    this.#blockedSince ||= Date.now();
  }

  #unblock() {
    if (this.response.writableEnded) return;
    this.#blockedSince = 0;
    this.wake();
  }

  #beat(stallMs) {
    if (!this.#blockedSince) this.response.write(comment);
    else if (Date.now() - this.#blockedSince > stallMs) this.response.destroy();
  }
}
