// The checkpoints of a session, and where in its script it is. What a checkpoint holds isn't copied: the chunks of the
// stream up to its sequence say it.

import { newCheckpointId } from './id.mjs';
import { notResumable } from './refusal.mjs';

export class Checkpoints {
  /** The index of the open step in the script, or of the next one. */
  position = 0;
  #list;

  constructor(agentId, list) {
    // Before the first checkpoint there is the beginning. It is announced when somebody has to be told of it.
    const start = { id: newCheckpointId(agentId, 0), stepCount: 0, sequence: 0, position: 0, isAnnounced: false };
    this.#list = list ?? [start];
    this.position = this.latest.position;
  }

  get latest() {
    return this.#list.at(-1);
  }

  /** The number of the step that is open, or comes next. */
  get openStep() {
    return this.latest.stepCount + 1;
  }

  /** The checkpoint of an id, or the latest without one. Throws a refusal if it is unknown. */
  find(id) {
    const checkpoint = id === undefined ? this.latest : this.#list.find((candidate) => candidate.id === id);
    if (!checkpoint) throw notResumable('there is no such checkpoint');
    return checkpoint;
  }

  /** Those up to one, that included. */
  upTo(checkpoint) {
    return this.#list.slice(0, this.#list.indexOf(checkpoint) + 1);
  }

  /** Keeps a checkpoint that was made at the present position. */
  keep(checkpoint) {
    this.#list.push({ ...checkpoint, position: this.position, isAnnounced: true });
  }

  /** Forgets those after one: their chunks count no longer. */
  returnTo(checkpoint) {
    checkpoint.isAnnounced = true;
    this.#list = this.upTo(checkpoint);
  }
}
