// The response: events on the wire, in the order in which they arise.

const head = {
  'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*',
};

export class Stream {
  #response;

  /** Sends the head. `onGone` is called if the client hangs up before the end. */
  constructor(response, onGone) {
    this.#response = response;
    response.writeHead(200, head);
    response.flushHeaders();
    response.on('close', () => {
      if (!response.writableEnded) onGone();
    });
  }

  /** Sends one event. JSON escapes every line break, so content can't end the line that it stands on. */
  send(event, data) {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends the last event and closes the body. */
  end() {
    this.send('end', { type: 'DONE' });
    this.#response.end();
  }
}
