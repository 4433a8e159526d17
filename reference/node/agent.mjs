// One agent at work: the root of a session, or a child of another agent. It does the acts of a step and says so in
// chunks that carry its id. What its tools write is staged until the step commits.

import { acts } from './acts.mjs';
import { countingEntries, rootAgents, stateOf } from './counting.mjs';
import { Cancelled } from './failure.mjs';
import { newId } from './id.mjs';
import { operationsFor } from './state.mjs';

export class Agent {
  children = new Set();
  /** The value that it returns; undefined until it has. */
  output = undefined;
  #staged = [];
  #stepId = null;
  #waits = new Set();
  #isCancelled = false;
  // The first half of a character whose second half hasn't come yet.
  #half = '';

  constructor(executor, { id, type, parent, outputSchema }) {
    Object.assign(this, { executor, id, type, parent, outputSchema });
  }

  emit(...chunks) {
    this.executor.write(this, chunks);
  }

  say(text) {
    const said = this.#half + text;
    const end = /[\ud800-\udbff]$/.test(said) ? said.length - 1 : said.length;
    this.#half = said.slice(end);
    if (end > 0) this.emit({ type: 'text_delta', delta: said.slice(0, end) });
  }

  startChild(type) {
    const child = new Agent(this.executor, { id: newId('session'), type, parent: this });
    this.children.add(child);
    return child;
  }

  /** Gives up. A step of the run that had staged something is dropped; the state of a child ends with the child. */
  fail(failure) {
    if (!this.parent && this.#staged.length > 0) this.discardStep('failed');
    this.report(failure);
  }

  report({ message, code, isRecoverable }) {
    this.emit({ type: 'error', error: message, code, recoverable: isRecoverable });
  }

  openStep() {
    this.#stepId = newId('step');
    this.#staged = [];
  }

  /** Saves what the open step has said and staged. */
  commitStep() {
    const stepId = this.#stepId;
    this.#stepId = null;
    this.executor.commit(this, stepId, this.#whatCommits());
  }

  /** Does acts in their order. An agent that has returned its output does no more. */
  async perform(list) {
    for (const act of list) {
      if (this.#isCancelled) throw new Cancelled();
      if (this.output !== undefined) return;
      const [[type, value]] = Object.entries(act);
      await acts[type](this, value);
    }
  }

  stage(change) {
    this.#staged.push(change);
  }

  /** Says that the open step is dropped, children first. */
  discardStep(reason) {
    for (const child of this.children) child.discardStep(reason);
    if (this.#stepId === null) return;
    this.emit({ type: 'step_discarded', runId: this.executor.session.runId, stepId: this.#stepId, reason });
    this.#stepId = null;
  }

  /** Waits until what `begin` is given is called. `begin` returns what to do when the waiting is over. */
  wait(begin) {
    return new Promise((resolve, reject) => {
      const leave = (settle, value) => {
        if (!this.#waits.delete(cancel)) return;
        end();
        settle(value);
      };
      const cancel = () => leave(reject, new Cancelled());
      this.#waits.add(cancel);
      const end = begin((value) => leave(resolve, value));
    });
  }

  /** Ends whatever this agent and its children wait for, with a failure. */
  cancel() {
    this.#isCancelled = true;
    for (const child of this.children) child.cancel();
    for (const cancel of this.#waits) cancel();
  }

  // Readers close the answer at the output, so it comes when the step is done, before what makes it durable.
  #whatCommits() {
    const operations = operationsFor(this.#state(), this.#staged);
    return [
      ...(this.output === undefined ? [] : [{ type: 'output', output: this.output }]),
      ...(operations.length === 0 ? [] : [{ type: 'state_patch', patches: operations }]),
    ];
  }

  // The stream is where the state is kept: what its chunks add up to is what every reader has.
  #state() {
    const { stream } = this.executor.session;
    const entries = countingEntries(stream.log);
    if (this.parent) return stateOf(entries, new Set([this.id]), {});
    return stateOf(entries, rootAgents(stream.log, stream.rootAgent).add(this.id), stream.initialState);
  }
}
