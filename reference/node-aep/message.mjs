// The agent's message: its blocks in stages, and everything again, whole, for the done event.

import { randomUUID } from 'node:crypto';

export class Message {
  id = randomUUID();
  /** The blocks that are complete, as done shows them, in the order of their index. */
  content = [];
  /** What the agent has said so far, and the client was sent. */
  text = '';
  #stream;
  // The block of text or thinking that is being said, and half of a character, if a piece ended with one.
  #open = null;

  /** Everything that is added is sent at once, by a stream. */
  constructor(stream) {
    this.#stream = stream;
  }

  /** Adds a piece of `text` or `thinking`. What follows in one kind is one block. */
  say(kind, piece) {
    if (this.#open?.kind !== kind) this.stop();
    this.#open ??= { ...this.#start(kind), kind, whole: '', half: '', count: 0 };
    const block = this.#open;
    const said = block.half + piece;
    const cut = /[\uD800-\uDBFF]$/.test(said) ? said.length - 1 : said.length;
    block.half = said.slice(cut);
    this.#piece(block, said.slice(0, cut));
  }

  /** Completes the block that is being said, if there is one. */
  stop() {
    const block = this.#open;
    if (!block) return;
    this.#open = null;
    this.#piece(block, block.half);
    this.#send(block.kind, { blockId: block.blockId, stage: 'stop', text: block.whole });
    this.content[block.blockIndex] = { type: block.kind, [block.kind]: block.whole };
  }

  /** Adds a call of a tool. */
  call({ toolCallId, toolName, args }) {
    this.stop();
    const { blockId, blockIndex } = this.#start('tool_call', { toolCallId, toolName });
    this.#send('tool_call', { blockId, stage: 'delta', delta: JSON.stringify(args), deltaIndex: 0 });
    this.#send('tool_call', { blockId, stage: 'stop', args });
    this.content[blockIndex] = { type: 'tool_use', toolCallId, toolName, args };
  }

  /** Adds how a call went. What the tool returned is the agent's; it has no place here. */
  outcome({ toolCallId, status, summary }) {
    this.stop();
    const { blockId, blockIndex } = this.#start('tool_result', { toolCallId });
    this.#send('tool_result', { blockId, stage: 'stop', status, summary });
    this.content[blockIndex] = { type: 'tool_result', toolCallId, status, summary };
  }

  #start(event, members) {
    const blockIndex = this.content.push(null) - 1;
    const blockId = `block-${blockIndex}`;
    this.#send(event, { blockId, stage: 'start', blockIndex, ...members });
    return { blockId, blockIndex };
  }

  #piece(block, piece) {
    if (piece === '') return;
    // A half that nothing follows can't be written in UTF-8.
    const delta = piece.toWellFormed();
    this.#send(block.kind, { blockId: block.blockId, stage: 'delta', delta, deltaIndex: block.count });
    block.count += 1;
    block.whole += delta;
    if (block.kind === 'text') this.text += delta;
  }

  #send(event, members) {
    this.#stream.send(event, { messageId: this.id, ...members });
  }
}
