// The executor of a session: what does its steps, one after the other. A session has one at a time. One that was
// replaced may still hang in a call, so whatever it writes then is refused here.

import { Agent } from './agent.mjs';
import { Cancelled, asFailure } from './failure.mjs';
import { newCheckpointId } from './id.mjs';

const longestMs = 2 ** 31 - 1;

export class Executor {
  /** The calls that wait for somebody, by their id. */
  calls = new Map();
  #barriers = new Map();
  #timers = new Set();
  #idlers = [];
  #checkpointId = '';
  #isDropped = false;
  // How many strands of work there are that don't wait for a call.
  #working = 1;

  constructor(session) {
    this.session = session;
    this.root = new Agent(this, { id: session.agentId, type: session.agentType, outputSchema: session.outputSchema });
  }

  /** Sub-agents do their work in the step of their root. */
  get step() {
    return this.session.checkpoints.openStep;
  }

  /** One of the things that it waits for: a barrier as long as it works, then a call. */
  get waiting() {
    const [barrier] = this.#barriers.keys();
    const [toolCallId] = this.calls.keys();
    return { barrier, toolCallId };
  }

  async run() {
    try {
      for (let step = this.#nextStep; step && this.root.output === undefined; step = this.#nextStep) {
        this.#checkpointId = newCheckpointId(this.session.agentId, this.step);
        this.root.openStep();
        await this.root.perform(step);
        this.root.commitStep();
      }
      this.session.complete(this.root.output);
    } catch (error) {
      this.#fail(error);
    }
  }

  drop() {
    this.#isDropped = true;
    for (const timer of this.#timers) timer.stop();
  }

  write(agent, chunks) {
    if (this.#isDropped) throw new Cancelled();
    const common = { agentId: agent.id, agentType: agent.type, step: this.step };
    return this.session.write(chunks.map((chunk) => ({ ...common, ...chunk })));
  }

  /** Saves a step in one act. What a child writes is saved by the checkpoint of its root. */
  commit(agent, stepId, chunks) {
    const { session, step: stepCount } = this;
    const saved = { runId: session.runId, checkpointId: this.#checkpointId };
    const committed = { type: 'step_committed', ...saved, stepId };
    if (agent !== this.root) return this.write(agent, [...chunks, committed]);
    const sequence = this.write(agent, [...chunks, { type: 'checkpoint_created', ...saved, stepCount }, committed]);
    session.checkpoints.position += 1;
    return session.checkpoints.keep({ id: this.#checkpointId, stepCount, sequence });
  }

  /** Waits until a barrier is released. */
  async barrier(agent, name) {
    if (this.session.released.has(name)) return;
    const waiting = this.#barriers.get(name) ?? new Set();
    this.#barriers.set(name, waiting);
    await agent.wait((resolve) => {
      waiting.add(resolve);
      return () => {
        waiting.delete(resolve);
        if (waiting.size === 0) this.#barriers.delete(name);
      };
    });
  }

  release(name) {
    for (const resolve of this.#barriers.get(name) ?? []) resolve();
  }

  /** Waits until somebody answers a call. */
  answer(agent, call) {
    return agent.wait((resolve) => {
      this.calls.set(call.toolCallId, { ...call, resolve });
      this.leave();
      return () => {
        this.calls.delete(call.toolCallId);
        this.#working += 1;
      };
    });
  }

  fork(branches) {
    this.#working += Math.max(branches - 1, 0);
  }

  /** A strand of work ends, or waits for a call. The last one pauses the run: nothing else would be said meanwhile. */
  leave() {
    this.#working -= 1;
    if (this.#working === 0) this.session.pause([...this.calls.values()]);
  }

  /** Calls `expire` after a while, if there is a limit. */
  startTimer(limitMs, expire) {
    const timer = { isOver: false, stop: () => this.#stop(timer) };
    if (limitMs === undefined) return timer;
    this.#timers.add(timer);
    timer.handle = setTimeout(() => {
      timer.isOver = true;
      this.session.wake();
      expire();
    }, Math.min(limitMs, longestMs));
    return timer;
  }

  /** Resolves when no timer runs that would go on by itself. */
  async idle() {
    // Work that goes on when one timer has stopped may start another.
    while (this.#timers.size > 0) await new Promise((resolve) => this.#idlers.push(resolve));
  }

  get #nextStep() {
    const { script, checkpoints } = this.session;
    return script[checkpoints.position];
  }

  #fail(error) {
    // Somebody else goes on, or has finished the stream.
    if (this.#isDropped || this.session.isOver) return;
    const failure = asFailure(error);
    this.root.fail(failure);
    this.session.fail(failure);
  }

  #stop(timer) {
    clearTimeout(timer.handle);
    this.#timers.delete(timer);
    if (this.#timers.size > 0) return;
    for (const resolve of this.#idlers.splice(0)) setImmediate(resolve);
  }
}
