// The runs that there are. A session has several in its life, and may be asked for by the id of any of them.

import { newId } from './id.mjs';
import { unknown } from './refusal.mjs';

export class Runs {
  #sessions = new Map();

  /** Begins a run of a session, and returns its id. */
  begin(session) {
    const runId = newId('run');
    this.#sessions.set(runId, session);
    return runId;
  }

  sessionOf(runId) {
    const session = this.#sessions.get(runId);
    if (!session) throw unknown('run');
    return session;
  }

  /** Whether a session still has something to do on a stream. */
  isAtWork(stream) {
    return [...this.#sessions.values()].some((session) => session.stream === stream && !session.isOver);
  }

  /** Forgets the runs of a stream that is deleted. */
  forget(stream) {
    for (const [runId, session] of this.#sessions) {
      if (session.stream !== stream) continue;
      session.drop();
      this.#sessions.delete(runId);
    }
  }
}
