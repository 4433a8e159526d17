// The response: events on the wire, in the order in which they arise, and comments while nothing does.

import { once } from 'node:events';

const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };
const comment = ':\n\n';
// How long a client may take nothing of what was left when its answer ended. Before, the run has a time-out of its own.
const stallMs = 30_000;

export class Stream {
  #response;
  #requestId;
  #timer;
  #last = 0;

  /** Sends the head. `onGone` is called if the client hangs up before the end. */
  constructor(response, requestId, { heartbeatMs, onGone }) {
    this.#response = response;
    this.#requestId = requestId;
    response.writeHead(200, head);
    this.#timer = setInterval(() => this.#beat(), heartbeatMs);
    response.on('close', () => {
      clearInterval(this.#timer);
      if (!response.writableEnded) onGone();
    });
  }

  /** Sends one event. JSON escapes every line break, so content can't end the line that it stands on. */
  send(event, members) {
    const data = { event, requestId: this.#requestId, timestamp: this.#now(), ...members };
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Waits until the client has taken what was sent, or `signal` says that it isn't worth it any more. */
  async drained(signal) {
    if (this.#response.writableNeedDrain) await once(this.#response, 'drain', { signal }).catch(() => {});
  }

  /** Sends the terminal event and closes the body. */
  end(event, members) {
    this.send(event, members);
    clearInterval(this.#timer);
    this.#response.end();
    this.#response.setTimeout(stallMs, () => this.#response.destroy());
  }

  #beat() {
    if (!this.#response.writableNeedDrain) this.#response.write(comment);
  }

  // A clock that is set back doesn't turn the order of events around.
  #now() {
    this.#last = Math.max(this.#last, Date.now());
    return new Date(this.#last).toISOString();
  }
}
