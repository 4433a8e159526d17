// A session: an agent with its script, its checkpoints and its runs, of which one goes at a time. What a session may be
// asked for, and when, is the table of helix.runs.transitions.

import { Checkpoints } from './checkpoints.mjs';
import { Executor } from './executor.mjs';
import { newId } from './id.mjs';
import { Journal } from './journal.mjs';
import { alreadyRunning, notResumable } from './refusal.mjs';

export class Session {
  agentId = newId('session');
  #status = 'interrupted';
  #executor = null;
  // An interruption has dropped the open step, so the script goes on behind it.
  #isStepDropped = false;
  // A crash or a retry has left what the open step said, which has to be taken back before the run goes on.
  #isStepLeft = false;
  #hasMoved = false;
  #journal = new Journal(this);

  /** `released` are the barriers that stay open; `checkpoints` those of the session that this one branches from. */
  constructor({ stream, agentType, script, outputSchema, runs, released = new Set(), checkpoints }) {
    Object.assign(this, { stream, agentType, script, outputSchema, runs, released });
    this.checkpoints = new Checkpoints(this.agentId, checkpoints);
    this.runId = this.runs.begin(this);
  }

  /** A stream may be finished by somebody else; its run is over then, too. */
  get status() {
    if (!this.stream.terminal) return this.#status;
    return this.stream.status === 'ended' ? 'completed' : 'failed';
  }

  get isOver() {
    return this.status === 'completed' || this.status === 'failed';
  }

  /** How the run is, and what it waits for. */
  describe() {
    return { status: this.status, ...(this.isOver ? {} : this.#executor?.waiting) };
  }

  /** Resolves when nothing is left to do before somebody acts. */
  settled() {
    return this.#executor?.idle();
  }

  start() {
    this.#setStatus('running');
    this.#executor = new Executor(this);
    this.#executor.run();
  }

  /** Stores chunks, and returns the last sequence. */
  write(chunks) {
    const timestamp = this.stream.now();
    return this.stream.append(chunks.map((chunk) => ({ ...chunk, timestamp }))).at(-1);
  }

  complete(finalOutput) {
    this.#status = 'completed';
    this.drop();
    this.stream.end({ finalOutput });
  }

  fail({ message, code }) {
    this.#status = 'failed';
    this.drop();
    this.stream.fail({ error: message, code });
  }

  pause(calls) {
    for (const call of calls) this.#journal.paused(call);
    this.#setStatus('paused');
  }

  /** A paused run has something to do again. */
  wake() {
    if (this.status === 'paused') this.#announce('continue', this.checkpoints.openStep);
  }

  release(barrier) {
    this.released.add(barrier);
    this.#executor?.release(barrier);
  }

  answer(toolCallId, answer) {
    const call = this.isOver ? undefined : this.#executor?.calls.get(toolCallId);
    const given = 'approved' in answer ? 'decision' : 'result';
    if (call?.waitsFor !== given) throw notResumable(`no call of this id waits for a ${given}`);
    this.wake();
    call.resolve(answer);
  }

  interrupt(reason) {
    this.#refuseUnless('running');
    this.#executor.root.discardStep('interrupted');
    this.drop();
    this.#isStepDropped = true;
    if (!this.checkpoints.latest.isAnnounced) this.checkpoints.keep(this.#journal.beginning());
    this.#journal.interrupted(reason);
    this.#setStatus('interrupted');
  }

  crash() {
    this.#refuseUnless('running', 'paused');
    this.drop();
    this.#isStepLeft = true;
    this.#status = 'interrupted';
  }

  supersede() {
    this.#refuseUnless('running');
    this.drop();
    this.#journal.superseded();
    this.#resync(this.checkpoints.latest, 'crash_recovery');
    this.start();
  }

  resume(mode, checkpointId) {
    this.#refuseUnless('interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    if (this.#isStepDropped) this.checkpoints.position += 1;
    this.#goOn(mode, checkpoint);
  }

  /** Does the open step again. */
  retry(checkpointId) {
    this.#refuseUnless('interrupted', 'paused');
    const checkpoint = this.checkpoints.find(checkpointId);
    if (this.status === 'paused') this.#isStepLeft = true;
    this.drop();
    this.#goOn('retry', checkpoint);
  }

  rollback(checkpointId) {
    this.#refuseUnless('running', 'paused', 'interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    this.drop();
    this.#resync(checkpoint, 'rollback');
    this.#setStatus('interrupted');
  }

  /** Goes back in a new session, which is returned. This one does nothing more. */
  branch(checkpointId) {
    this.#refuseUnless('running', 'paused', 'interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    this.drop();
    this.#status = 'interrupted';
    this.#hasMoved = true;
    const copy = new Session({ ...this, checkpoints: this.checkpoints.upTo(checkpoint) });
    copy.#resync(checkpoint, 'branch');
    copy.#setStatus('interrupted');
    return copy;
  }

  /** Lets go of the executor, without a word. */
  drop() {
    this.#executor?.drop();
    this.#executor = null;
  }

  #refuseUnless(...statuses) {
    if (this.#hasMoved) throw notResumable('the session was branched from, and goes on in the branch');
    if (statuses.includes(this.status)) return;
    if (this.status === 'running') throw alreadyRunning('the run goes on already');
    throw notResumable(`the run is ${this.status}`);
  }

  #goOn(mode, checkpoint) {
    if (checkpoint !== this.checkpoints.latest) this.#resync(checkpoint, 'rollback');
    else if (this.#isStepLeft) this.#resync(checkpoint, 'crash_recovery');
    this.#announce(mode);
    this.start();
  }

  /** What was said after a checkpoint counts no longer. After a crash the open step comes again. */
  #resync(checkpoint, reason) {
    this.#isStepDropped = false;
    this.#isStepLeft = false;
    this.checkpoints.returnTo(checkpoint);
    if (reason !== 'crash_recovery') this.checkpoints.position = checkpoint.position;
    // Of a session that was branched from, nothing is removed.
    if (reason !== 'branch') this.stream.cleanUp(checkpoint.stepCount);
    this.#journal.wentBack(checkpoint, reason);
  }

  /** Going on is a new run of the same session. */
  #announce(mode, step) {
    this.#isStepDropped = false;
    this.runId = this.runs.begin(this);
    this.#journal.resumed(mode, step);
    this.#setStatus('running');
  }

  #setStatus(status) {
    this.#status = status;
    this.stream.setStatus(status === 'running' ? 'active' : 'paused');
  }
}
