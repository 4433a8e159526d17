// A conversation: who owns it, what was said in it, and the actions that its client was asked for. Nothing here knows of
// HTTP. No method waits, so checking and changing are one act.

import { randomUUID } from 'node:crypto';
import { Failure } from './failure.mjs';

const unknownAction = () => new Failure('invalid_action_id', 'an action is unknown, or resolved already');

export class Threads {
  #byId = new Map();

  /** Goes on with a user's thread, or begins one where no id is given. */
  find(id, owner) {
    if (id === undefined) return new Thread(owner);
    const thread = this.#byId.get(id);
    if (!thread) throw new Failure('thread_not_found', 'there is no such thread');
    if (thread.owner !== owner) throw new Failure('thread_access_denied', 'the thread is somebody else\'s');
    return thread;
  }

  /** Remembers a thread. One whose first request is refused never comes to be. */
  keep(thread) {
    this.#byId.set(thread.id, thread);
  }
}

class Thread {
  id = randomUUID();
  #turns = [];
  // By id, whether a run works on its result. An action that is resolved is forgotten, and so refused like one that
  // never was.
  #actions = new Map();

  constructor(owner) {
    this.owner = owner;
  }

  /** Everything that was said so far: `{user}` for each message of the user, `{agent}` for each answer. */
  get history() {
    return this.#turns.flatMap(({ texts, answer }) => [
      ...texts.map((user) => ({ user })),
      ...(answer === '' ? [] : [{ agent: answer }]),
    ]);
  }

  /** Adds what the user says, and returns the turn, whose `answer` is still to come. */
  add(texts) {
    const turn = { texts, answer: '' };
    this.#turns.push(turn);
    return turn;
  }

  /** Opens an action and returns its id. */
  open() {
    const id = randomUUID();
    this.#actions.set(id, false);
    return id;
  }

  /** Takes the results of a request, all or none. Until they are released or resolved nobody else can bring them. */
  take(results) {
    const ids = results.map((result) => result.actionId);
    if (new Set(ids).size < ids.length) throw new Failure('invalid_action_id', 'an action has two results');
    if (!ids.every((id) => this.#actions.get(id) === false)) throw unknownAction();
    for (const id of ids) this.#actions.set(id, true);
    return ids;
  }

  /** Opens actions again: nothing came of their results. */
  release(ids) {
    for (const id of ids) this.#actions.set(id, false);
  }

  /** Closes actions for good. */
  close(ids) {
    for (const id of ids) this.#actions.delete(id);
  }
}
