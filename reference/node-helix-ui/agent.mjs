// The agent: it makes the parts of a turn, of chunks of helix and of what the application says.

import { act, waits } from './control.mjs';

const fleeting = { state_patch: 'data-state', run_paused: 'data-run', run_resumed: 'data-run', step_discarded: 'data-resync', stream_resync: 'data-resync' };

export class Agent {
  reason = 'stop';
  #turn;
  #metadata;
  #open = undefined; // the text or reasoning that is open
  #opened = 0;
  #step = false;
  #ended = false; // by an error or an abort
  #calls = new Map(); // by id, those without an output; true: the request for approval brought the input
  #numbered = 0;

  constructor(id, metadata) {
    this.id = id;
    this.#metadata = metadata;
  }

  /** Plays a turn. It returns the calls that wait for the client and the acts after them, if there are any. */
  async run(turn, script, outcomes) {
    this.#turn = turn;
    this.#calls.clear();
    this.reason = 'stop';
    const { startMetadata, finishMetadata } = this.#metadata;
    this.send({ type: 'start', messageId: turn.message.id, messageMetadata: startMetadata });
    for (const outcome of outcomes) this.#conclude(outcome);
    let waiting;
    for (let n = 0; n < script.length && !waiting && !this.#ended; n++) {
      if (waits(script[n])) waiting = this.#wait(script.slice(n));
      else await act(this, turn, script[n]);
    }
    if (this.#ended) return undefined;
    this.#endStep();
    const finishReason = this.#calls.size > 0 ? 'tool-calls' : this.reason;
    this.send({ type: 'finish', finishReason, messageMetadata: finishMetadata });
    return waiting;
  }

  send(part) {
    this.#turn.send(part);
  }

  /** Calls a tool. Its result is in the script. */
  call({ name, arguments: input, result = null, error }) {
    const toolCallId = this.#nextCall();
    const read = objectIn(input);
    if (!read) {
      this.#close();
      this.#inStep();
      this.send({ type: 'tool-input-error', toolCallId, toolName: name, input, errorText: 'the arguments are no JSON object' });
    } else {
      this.chunk({ type: 'tool_start', toolCallId, toolName: name, arguments: read });
      this.chunk({ type: 'tool_end', toolCallId, result, error });
    }
    this.#endStep();
  }

  // Calls in a row wait together.
  #wait(script) {
    const end = script.findIndex((one) => !waits(one));
    const rest = end < 0 ? [] : script.slice(end);
    const calls = script.slice(0, script.length - rest.length).map(({ tool }) => {
      const call = { ...tool, id: this.#nextCall() };
      call.approvalId = `approval-${call.id}`;
      this.chunk({ type: 'tool_start', toolCallId: call.id, toolName: tool.name, arguments: tool.arguments });
      if (tool.approval) this.send({ type: 'tool-approval-request', approvalId: call.approvalId, toolCallId: call.id });
      return call;
    });
    return { calls, rest };
  }

  #conclude({ call, approved, brought }) {
    if (brought) return; // the message has it
    if (approved) this.chunk({ type: 'tool_end', toolCallId: call.id, result: call.result ?? null, error: call.error });
    else this.send({ type: 'tool-output-denied', toolCallId: call.id });
  }

  #nextCall() {
    this.#numbered += 1;
    return `${this.#turn.message.id}-${this.#numbered}`;
  }

  /**
   * Sends a part of the application, such as source-url, source-document or message-metadata. It closes a text, unless it is
   * transient. The agent itself never sends one of these, nor tool-input-delta, since inputs are complete; no answer is undone
   * or steered: reset-step, steering-message, reasoning-file and tool-approval-response have no use here.
   */
  part(part) {
    if (!part.transient) this.#close();
    if (part.type === 'tool-input-start' || part.type === 'tool-input-available') this.#inStep();
    this.send(part);
  }

  /** Sends the parts of a chunk of the root agent: the table of the chapter on mapping. */
  chunk(chunk) {
    const { type, toolCallId } = chunk;
    if (chunk.agentId && chunk.agentId !== this.id) return;
    if (fleeting[type]) return this.send({ type: fleeting[type], data: type === 'state_patch' ? chunk.patches : own(chunk), transient: true });
    if (type === 'text_delta') return chunk.delta && this.#grow('text', chunk.delta);
    if (type === 'thinking') return this.#think(chunk);
    if (type === 'checkpoint_created' || type === 'executor_superseded') return;
    if (type === 'error' && chunk.recoverable) return this.send({ type: 'data-error', data: own(chunk), transient: true });
    if (type === 'error' || type === 'run_interrupted') {
      this.#ended = true;
      return this.send(type === 'error' ? { type, errorText: chunk.error } : { type: 'abort', reason: chunk.reason });
    }
    this.#close();
    if (type === 'tool_start') this.#input(chunk);
    else if (type === 'tool_approval_request') {
      if (!this.#calls.has(toolCallId)) this.#input(chunk, true);
      this.send({ type: 'tool-approval-request', approvalId: toolCallId, toolCallId });
    } else if (type === 'tool_end') {
      this.#calls.delete(toolCallId);
      const outcome = chunk.error === undefined ? { type: 'tool-output-available', output: chunk.result } : { type: 'tool-output-error', errorText: chunk.error };
      this.send({ ...outcome, toolCallId });
    } else if (type === 'step_committed') this.#endStep();
    else if (type === 'custom') this.send({ type: `data-${chunk.eventName}`, data: chunk.data });
    else if (type === 'output') this.send({ type: 'data-output', data: chunk.output });
    else if (type === 'subagent_start' || type === 'subagent_end') this.send({ type: 'data-subagent', id: chunk.callId, data: own(chunk) });
  }

  #input({ toolCallId, toolName, arguments: input }, early = false) {
    const sent = this.#calls.get(toolCallId);
    this.#calls.set(toolCallId, early);
    if (sent) return; // with the request for approval
    this.#inStep();
    this.send({ type: 'tool-input-available', toolCallId, toolName, input });
  }

  #think({ content, isComplete }) {
    const had = this.#open?.kind === 'reasoning' ? this.#open.text : '';
    const rest = isComplete && content.startsWith(had) ? content.slice(had.length) : content;
    if (!isComplete || rest || !had) this.#grow('reasoning', rest);
    if (isComplete) this.#close();
  }

  // text-start, text-delta and text-end, or reasoning-start, reasoning-delta and reasoning-end
  #grow(kind, delta) {
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#inStep();
      this.#opened += 1;
      this.#open = { kind, id: `${kind}-${this.#opened}`, text: '' };
      this.send({ type: `${kind}-start`, id: this.#open.id });
    }
    if (kind === 'reasoning') this.#open.text += delta;
    this.send({ type: `${kind}-delta`, id: this.#open.id, delta });
  }

  #close() {
    if (this.#open) this.send({ type: `${this.#open.kind}-end`, id: this.#open.id });
    this.#open = undefined;
  }

  #inStep() {
    if (!this.#step) this.send({ type: 'start-step' });
    this.#step = true;
  }

  #endStep() {
    this.#close();
    if (this.#step) this.send({ type: 'finish-step' });
    this.#step = false;
  }
}

// A chunk's members without those that all chunks have.
function own({ agentId, agentType, timestamp, step, ...members }) {
  return members;
}

// The arguments of a model: an object, or the text in which it wrote one.
function objectIn(input) {
  try {
    const value = typeof input === 'string' ? JSON.parse(input) : input;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
