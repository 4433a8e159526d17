// A session: an agent with its script, its checkpoints and its runs, of which one goes at a time. What a session may be
// asked for, and when, is the table of helix.runs.transitions.

import { Checkpoints } from './checkpoints.mjs';
import { Executor } from './executor.mjs';
import { newCheckpointId, newId } from './id.mjs';
import { alreadyRunning, notResumable } from './refusal.mjs';
import { readUpTo } from './snapshot.mjs';

export class Session {
  agentId = newId('session');
  /** The barriers that were released; they stay open. */
  released = new Set();
  #status = 'interrupted';
  #executor = null;
  // An interruption has dropped the open step, so the script goes on behind it.
  #isStepDropped = false;
  // Why a stream_resync is due before the run goes on, if one is.
  #resyncReason = null;
  #hasMoved = false;

  constructor({ stream, agentType, script, outputSchema, runs, checkpoints }) {
    Object.assign(this, { stream, agentType, script, outputSchema, runs });
    this.checkpoints = new Checkpoints(this.agentId, checkpoints);
    this.#beginRun();
  }

  /** A stream may be finished by somebody else; its run is over then, too. */
  get status() {
    if (!this.stream.terminal) return this.#status;
    return this.stream.status === 'ended' ? 'completed' : 'failed';
  }

  get isOver() {
    return this.status === 'completed' || this.status === 'failed';
  }

  describe() {
    const { status } = this;
    const [barrier] = status === 'running' ? this.#executor.barrierNames : [];
    const [toolCallId] = status === 'paused' ? (this.#executor?.calls.keys() ?? []) : [];
    return { status, barrier, toolCallId };
  }

  /** Resolves when nothing is left to do before somebody acts. */
  async settled() {
    await this.#executor?.idle();
  }

  start() {
    this.#status = 'running';
    this.stream.setStatus('active');
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
    for (const { toolName, toolCallId, waitsFor } of calls) {
      const pending = { pendingToolName: toolName, pendingToolCallId: toolCallId };
      this.#say({ type: 'run_paused', runId: this.runId, reason: `waits for a ${waitsFor}`, step: this.#openStep, ...pending });
    }
    this.#wait('paused');
  }

  /** A paused run has something to do again. */
  wake() {
    if (this.status === 'paused') this.#announce('continue', { step: this.#openStep });
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
    if (!this.checkpoints.latest.isAnnounced) this.#saveBeginning();
    this.#say({ type: 'run_interrupted', runId: this.runId, checkpointId: this.checkpoints.latest.id, reason });
    this.#wait('interrupted');
  }

  crash() {
    this.#refuseUnless('running', 'paused');
    this.drop();
    this.#resyncReason = 'crash_recovery';
    this.#status = 'interrupted';
  }

  supersede() {
    this.#refuseUnless('running');
    this.drop();
    this.#say({ type: 'executor_superseded' });
    this.#resync(this.checkpoints.latest, 'crash_recovery');
    this.start();
  }

  resume(mode, checkpointId) {
    if (this.status === 'running') throw alreadyRunning('the run goes on already');
    this.#refuseUnless('interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    if (this.#isStepDropped) this.checkpoints.position += 1;
    this.#goOn(mode, checkpoint);
  }

  /** Does the open step again. */
  retry(checkpointId) {
    if (this.status === 'running') throw alreadyRunning('the run goes on already');
    this.#refuseUnless('interrupted', 'paused');
    const checkpoint = this.checkpoints.find(checkpointId);
    if (this.status === 'paused') this.#resyncReason = 'rollback';
    this.drop();
    this.#goOn('retry', checkpoint);
  }

  rollback(checkpointId) {
    this.#refuseUnless('running', 'paused', 'interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    this.drop();
    this.#returnTo(checkpoint, 'rollback');
    this.#wait('interrupted');
  }

  /** Goes back in a new session, which is returned. This one does nothing more. */
  branch(checkpointId) {
    this.#refuseUnless('running', 'paused', 'interrupted');
    const checkpoint = this.checkpoints.find(checkpointId);
    this.drop();
    this.#status = 'interrupted';
    this.#hasMoved = true;
    const copy = new Session({ ...this, checkpoints: this.checkpoints.upTo(checkpoint) });
    copy.released = this.released;
    copy.#returnTo(checkpoint, 'branch');
    copy.#wait('interrupted');
    return copy;
  }

  /** Lets go of the executor, without a word. */
  drop() {
    this.#executor?.drop();
    this.#executor = null;
  }

  get #openStep() {
    return this.checkpoints.latest.stepCount + 1;
  }

  #refuseUnless(...statuses) {
    if (this.#hasMoved) throw notResumable('the session was branched from, and goes on in the branch');
    if (!statuses.includes(this.status)) throw notResumable(`the run is ${this.status}`);
  }

  #goOn(mode, checkpoint) {
    if (checkpoint !== this.checkpoints.latest) this.#returnTo(checkpoint, 'rollback');
    else if (this.#resyncReason) this.#resync(checkpoint, this.#resyncReason);
    this.#announce(mode);
    this.start();
  }

  #returnTo(checkpoint, reason) {
    this.checkpoints.position = checkpoint.position;
    this.#resync(checkpoint, reason);
  }

  /** What was said after a checkpoint counts no longer. Of a session that was branched from, nothing is removed. */
  #resync(checkpoint, reason) {
    this.#isStepDropped = false;
    this.#resyncReason = null;
    this.checkpoints.returnTo(checkpoint);
    const { id: checkpointId, stepCount, sequence: fromSequence } = checkpoint;
    if (reason !== 'branch') this.stream.cleanUp(stepCount);
    const messageCount = readUpTo(this.stream, fromSequence).messages.length;
    this.#say({ type: 'stream_resync', checkpointId, stepCount, messageCount, fromSequence, reason });
  }

  /** Going on is a new run of the same session. */
  #announce(mode, members = {}) {
    this.#isStepDropped = false;
    const { id, isAnnounced, stepCount } = this.checkpoints.latest;
    this.#beginRun();
    const from = { fromCheckpointId: isAnnounced ? id : null, fromStepCount: stepCount };
    this.#say({ type: 'run_resumed', runId: this.runId, ...from, mode, ...members });
    this.#status = 'running';
    this.stream.setStatus('active');
  }

  #beginRun() {
    this.runId = newId('run');
    this.runs.set(this.runId, this);
  }

  #saveBeginning() {
    const id = newCheckpointId(this.agentId, 0);
    const sequence = this.#say({ type: 'checkpoint_created', runId: this.runId, checkpointId: id, stepCount: 0 });
    this.checkpoints.keep({ id, stepCount: 0, sequence });
  }

  #wait(status) {
    this.#status = status;
    this.stream.setStatus('paused');
  }

  #say(chunk) {
    return this.write([{ agentId: this.agentId, agentType: this.agentType, ...chunk }]);
  }
}
