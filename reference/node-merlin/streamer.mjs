// What both versions share: the acts of a run, one after the other, and what they add up to.

import { Manager } from './progress.mjs';
import { Total } from './total.mjs';
import { Upstream } from './upstream.mjs';

export class Streamer {
  total = new Total();
  #manager;

  constructor(stream, start) {
    this.stream = stream;
    this.start = start;
  }

  async play(run) {
    const upstream = new Upstream();
    this.opens();
    for await (const step of run.acts) {
      if (run.stopped) return;
      if (step.pieces) await this.feed(upstream, step.pieces, run);
      else await this.act(step);
    }
    if (!run.stopped) this.flush();
  }

  // The pieces wait together; what is left of them is how far the model is ahead.
  async feed(upstream, pieces, run) {
    while (pieces.length > 0) {
      for (const delta of upstream.read(pieces.shift())) {
        if (run.stopped) return;
        this.total.take(delta);
        await this.delta(delta, pieces.length, run);
      }
    }
  }

  act({ progress }) {
    if (!progress) return;
    this.#manager ??= new Manager(this.stream, this.start);
    this.#manager.do(progress);
  }

  opens() {}
  flush() {}
}
