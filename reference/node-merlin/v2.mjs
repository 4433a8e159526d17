// Version 2: a typed message for each event of the model, under the index of its block.

import { Streamer } from './streamer.mjs';
import { Upstream } from './upstream.mjs';

export class V2 extends Streamer {
  #index;

  constructor(stream, start) {
    super(stream, { manager: 'V2', ...start });
    const { contentIndex, globalIndex = 0, eventManagerIndex = 0 } = start;
    this.#index = Math.max(globalIndex, contentIndex ?? eventManagerIndex);
  }

  async delta({ content, reasoning }) {
    this.total.content.push(content);
    if (this.start.suppress) return;
    if (content) this.#send('text', content);
    if (reasoning?.text) this.#send('reasoning', reasoning.text);
  }

  act(act) {
    const { subagent, toolResult, handoff } = act;
    if (subagent) this.#subAgent(subagent);
    else if (toolResult) this.#result(toolResult);
    else if (handoff) this.#index += 1;
    else super.act(act);
  }

  #send(type, value) {
    this.stream.send('message', { content: '', index: this.#index, type, [type]: value });
  }

  // What a sub-agent says is the result of a tool; what it thinks is its own.
  #subAgent({ index, suppress, pieces }) {
    const upstream = new Upstream();
    for (const { content } of pieces.flatMap((piece) => upstream.read(piece))) {
      if (content && !suppress) this.#send('toolCallResult', { index, delta: content });
    }
  }

  #result({ index, result, toolCallId, name }) {
    const toolCallResult = { index, result, toolCallId, function: { name } };
    this.stream.send('message', { content: '', contentIndex: this.#index, type: 'toolCallResult', toolCallResult });
  }
}
