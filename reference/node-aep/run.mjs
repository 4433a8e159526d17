// One request that is being answered: from metadata to the terminal event.

import { randomUUID } from 'node:crypto';
import { Failure, asFailure } from './failure.mjs';
import { Message } from './message.mjs';
import { Stream } from './stream.mjs';

export class Run {
  requestId = randomUUID();
  #end = new AbortController();
  #barriers = new Map();

  constructor(user, agentId) {
    this.user = user;
    this.agentId = agentId;
  }

  /** Whether the request was answered to its end, whatever that was. */
  get isOver() {
    return this.#end.signal.aborted;
  }

  /**
   * Answers a request on its thread: `answer` is the agent, `taken` are the actions whose results it was brought. What the
   * user said stays in the thread whatever comes of it; the actions are resolved if the run ends with done.
   */
  async answer({ thread, taken, request, answer, response, heartbeatMs, timeoutMs }) {
    const history = thread.history;
    const turn = thread.add(request.texts);
    const stream = new Stream(response, this.requestId, { heartbeatMs, onGone: () => this.#stop(null) });
    const message = new Message(stream);
    stream.send('metadata', { threadId: thread.id, agentId: this.agentId });
    const timer = setTimeout(() => this.fail(new Failure('stream_timeout', 'the answer took too long')), timeoutMs);
    const asked = [];
    const ask = (action) => {
      const actionId = thread.open();
      asked.push(actionId);
      stream.send('continuation', { actionId, ...action });
    };
    const parts = answer({ ...request, history, signal: this.#end.signal });
    const terminal = await this.#work(parts, message, ask, stream);
    clearTimeout(timer);
    // Of an answer that was cut, the thread has what was sent.
    turn.answer = message.text;
    if (terminal?.event === 'done') {
      thread.close(taken);
      const finishReason = asked.length > 0 ? 'action_required' : 'stop';
      stream.end('done', { messageId: message.id, threadId: thread.id, content: message.content, finishReason });
    } else {
      // Nothing came of the results, so they may be brought again, and nobody waits for those that were asked for.
      thread.release(taken);
      thread.close(asked);
      if (terminal) stream.end(terminal.event, terminal.members);
    }
  }

  /** Ends the run with aborted, if it isn't over. */
  cancel(reason) {
    this.#stop({ event: 'aborted', members: reason === undefined ? {} : { reason } });
  }

  /** Ends the run with an error, if it isn't over. */
  fail(failure) {
    this.#stop({ event: 'error', members: failure.members });
  }

  /** Resolves when the barrier is released, which may have happened before. */
  barrier(name) {
    return this.#find(name).opened;
  }

  release(name) {
    this.#find(name).open();
  }

  // Does what the agent does until it is over, or until somebody ends the run. Returns the terminal event, or null where
  // the client has gone.
  async #work(parts, message, ask, stream) {
    const { signal } = this.#end;
    const stopped = new Promise((resolve) => signal.addEventListener('abort', () => resolve({ stop: signal.reason })));
    try {
      while (!this.isOver) {
        // An agent that has nothing to say doesn't hold up the end.
        const next = await Promise.race([stopped, parts.next().catch(agentFailure)]);
        if (this.isOver) break;
        if (next.done) {
          message.stop();
          this.#stop({ event: 'done' });
          break;
        }
        show(next.value, message, ask);
        await stream.drained(signal);
      }
    } catch (error) {
      this.fail(asFailure(error));
    }
    parts.return().catch(() => {});
    return signal.reason.terminal;
  }

  #stop(terminal) {
    // The end that comes first stands.
    if (!this.isOver) this.#end.abort({ terminal });
  }

  #find(name) {
    if (!this.#barriers.has(name)) {
      const barrier = {};
      barrier.opened = new Promise((resolve) => { barrier.open = resolve; });
      this.#barriers.set(name, barrier);
    }
    return this.#barriers.get(name);
  }
}

function show(part, message, ask) {
  const [[kind, value]] = Object.entries(part);
  if (kind === 'text' || kind === 'thinking') return message.say(kind, value);
  if (kind === 'call') return message.call(value);
  if (kind === 'outcome') return message.outcome(value);
  message.stop();
  return ask(value);
}

// What an agent throws is its own failure, unless it says otherwise. Its words are for the log.
function agentFailure(error) {
  if (error instanceof Failure) throw error;
  console.error(error);
  throw new Failure('agent_error', 'the agent failed');
}
