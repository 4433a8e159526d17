// The message of an answer, as a front end makes it of the parts: what the history has.

export class Message {
  content;
  #grown = new Map();

  constructor(id, parts = []) {
    this.content = { id, role: 'assistant', parts };
  }

  get id() {
    return this.content.id;
  }

  copy() {
    const copy = new Message(this.id, structuredClone(this.content.parts));
    copy.content.metadata = this.content.metadata;
    return copy;
  }

  call(toolCallId) {
    return this.content.parts.findLast((part) => part.toolCallId === toolCallId);
  }

  take(part) {
    const { type, id, toolCallId, transient, messageMetadata } = part;
    const [kind, stage] = type.split('-');
    if (messageMetadata) this.content.metadata = { ...this.content.metadata, ...messageMetadata };
    if (type === 'start-step') this.#add({ type: 'step-start' });
    else if (kind === 'text' || kind === 'reasoning') this.#grow(kind, stage, id, part.delta);
    else if (type === 'tool-input-available') {
      this.#add({ type: `tool-${part.toolName}`, toolCallId, state: 'input-available', input: part.input });
    } else if (type === 'tool-input-error') {
      this.#add({ type: `tool-${part.toolName}`, toolCallId, state: 'output-error', input: part.input, errorText: part.errorText });
    } else if (type === 'tool-output-available') this.#change(toolCallId, { state: 'output-available', output: part.output });
    else if (type === 'tool-output-error') this.#change(toolCallId, { state: 'output-error', errorText: part.errorText });
    else if (type === 'tool-output-denied') this.#change(toolCallId, { state: 'output-denied' });
    else if (type === 'tool-approval-request') {
      this.#change(toolCallId, { state: 'approval-requested', approval: { id: part.approvalId } });
    } else if (['data', 'source', 'file'].includes(kind) && !transient) this.#keep(part);
  }

  /** Puts an output that the client has brought into its call. */
  bring(toolCallId, outcome) {
    this.#change(toolCallId, outcome);
  }

  #add(part) {
    this.content.parts.push(part);
    return part;
  }

  #change(toolCallId, members) {
    Object.assign(this.call(toolCallId) ?? {}, members);
  }

  #grow(kind, stage, id, delta) {
    if (stage === 'start') this.#grown.set(kind + id, this.#add({ type: kind, text: '', state: 'streaming' }));
    const part = this.#grown.get(kind + id);
    if (!part) return;
    if (stage === 'delta') part.text += delta;
    if (stage === 'end') part.state = 'done';
  }

  // Of data with an id, the latest part remains.
  #keep(part) {
    const { parts } = this.content;
    const at = part.id === undefined ? -1 : parts.findIndex(({ type, id }) => type === part.type && id === part.id);
    if (at < 0) parts.push(part);
    else parts[at] = part;
  }
}
