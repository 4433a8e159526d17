// The model that answers where no script does: that of an OpenAI-compatible provider, or a parrot where none is configured.

const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key = '' } = process.env;

/** A run whose acts are what the model says to a message. */
export class Answer {
  start = {};
  stopped = false;
  failed = false;
  #asking = new AbortController();
  #message;

  constructor(message) {
    this.#message = message;
  }

  stop() {
    this.stopped = true;
    this.#asking.abort();
  }

  get acts() {
    return base ? this.#listen() : this.#parrot();
  }

  async* #parrot() {
    for (const content of ['You said: ', this.#message]) {
      yield { pieces: [Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)] };
    }
  }

  // Pieces are taken from the network as they come, so that those which wait can be counted. What breaks off is a failure.
  async* #listen() {
    const pieces = [];
    let wake = () => {};
    let over = false;
    const reading = this.#read((piece) => {
      pieces.push(piece);
      wake();
    }).catch(() => { this.failed = true; }).finally(() => {
      over = true;
      wake();
    });
    while (!over || pieces.length > 0) {
      if (pieces.length > 0) yield { pieces };
      else await new Promise((awake) => { wake = awake; });
    }
    await reading;
  }

  async #read(take) {
    const response = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'default', stream: true, messages: [{ role: 'user', content: this.#message }] }),
      signal: this.#asking.signal,
    });
    if (!response.ok) throw new Error(`the model answered ${response.status}`);
    for await (const piece of response.body) take(piece);
  }
}
