// The messages of a snapshot: what the root agent said, one message for each step that said something.

import { completesStep } from './counting.mjs';

/** Reads messages from entries that count. The last one is partial if its step is still open. */
export function readMessages(entries, roots, isFinished) {
  const reading = new Reading();
  for (const { chunk } of entries) {
    if (roots.has(chunk.agentId)) reading.take(chunk);
  }
  return reading.finish(isFinished);
}

class Reading {
  #messages = [];
  #parts = [];
  #calls = new Map();
  #thought = null;

  take(chunk) {
    if (completesStep(chunk)) this.#close('');
    else if (chunk.type === 'text_delta') this.#say(chunk.delta);
    else if (chunk.type === 'thinking') this.#think(chunk);
    else if (chunk.type === 'tool_start') this.#begin(chunk);
    else if (chunk.type === 'tool_end') this.#end(chunk);
  }

  finish(isFinished) {
    this.#close(isFinished ? '' : '-partial');
    return this.#messages;
  }

  #close(suffix) {
    this.#thought = null;
    if (this.#parts.length === 0) return;
    this.#messages.push({ id: `msg-${this.#messages.length}${suffix}`, role: 'assistant', parts: this.#parts });
    this.#parts = [];
  }

  #say(delta) {
    const last = this.#parts.at(-1);
    if (last?.type === 'text') last.text += delta;
    else this.#parts.push({ type: 'text', text: delta });
  }

  // The completing chunk holds the whole block, or nothing if its increments were all.
  #think({ content, isComplete }) {
    if (!this.#thought) {
      this.#thought = { type: 'reasoning', text: '', state: 'streaming' };
      this.#parts.push(this.#thought);
    }
    if (!isComplete) {
      this.#thought.text += content;
      return;
    }
    if (content !== '') this.#thought.text = content;
    delete this.#thought.state;
    this.#thought = null;
  }

  #begin({ toolCallId, toolName, arguments: given }) {
    const part = { type: 'tool', toolCallId, toolName, state: 'executing', arguments: given };
    this.#parts.push(part);
    this.#calls.set(toolCallId, part);
  }

  #end({ toolCallId, success, result, error }) {
    const part = this.#calls.get(toolCallId);
    if (!part) return;
    part.state = success ?? error === undefined ? 'completed' : 'error';
    // Members that aren't there stay away: the serialiser leaves out what is undefined.
    Object.assign(part, { result, error });
  }
}
