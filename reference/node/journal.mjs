// What a session says about its runs: how they are interrupted, wait, go on and go back. What agents say is not here.

import { newCheckpointId } from './id.mjs';
import { readUpTo } from './snapshot.mjs';

export class Journal {
  constructor(session) {
    this.session = session;
  }

  /** A run waits for a call, with its step open. */
  paused({ toolName, toolCallId, waitsFor }) {
    const { runId, checkpoints } = this.session;
    const pending = { pendingToolName: toolName, pendingToolCallId: toolCallId };
    this.#say({ type: 'run_paused', runId, reason: `waits for a ${waitsFor}`, ...pending, step: checkpoints.openStep });
  }

  interrupted(reason) {
    const { runId, checkpoints } = this.session;
    this.#say({ type: 'run_interrupted', runId, checkpointId: checkpoints.latest.id, reason });
  }

  /** A run goes on; inside the step that is open, or between two steps. */
  resumed(mode, step) {
    const { runId, checkpoints } = this.session;
    const { id, isAnnounced, stepCount } = checkpoints.latest;
    const from = { fromCheckpointId: isAnnounced ? id : null, fromStepCount: stepCount };
    this.#say({ type: 'run_resumed', runId, ...from, mode, step });
  }

  superseded() {
    this.#say({ type: 'executor_superseded' });
  }

  /** What was said after a checkpoint counts no longer. */
  wentBack({ id, stepCount, sequence }, reason) {
    const messageCount = readUpTo(this.session.stream, sequence).messages.length;
    const place = { checkpointId: id, stepCount, messageCount, fromSequence: sequence };
    this.#say({ type: 'stream_resync', ...place, reason });
  }

  /** A checkpoint for a run that stops in its first step, which has nothing else to go on from. */
  beginning() {
    const { runId, agentId } = this.session;
    const id = newCheckpointId(agentId, 0);
    const sequence = this.#say({ type: 'checkpoint_created', runId, checkpointId: id, stepCount: 0 });
    return { id, stepCount: 0, sequence };
  }

  #say(chunk) {
    const { agentId, agentType } = this.session;
    return this.session.write([{ agentId, agentType, ...chunk }]);
  }
}
