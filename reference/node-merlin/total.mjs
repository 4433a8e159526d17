// What a stream adds up to: what is stored, and what the next model gets.

export class Total {
  content = [];
  reasoningContent = [];
  citations = [];
  #calls = new Map();
  #usage;

  /** Takes in what isn't text. Every entry of tool_calls counts: some models send parallel calls in one event. */
  take({ reasoning, tool_calls: calls = [], usage }) {
    if (reasoning) this.reasoningContent.push(reasoning);
    if (usage) this.#usage = { ...this.#usage, ...usage };
    for (const { index, id, type, function: { name, arguments: args = '' } } of calls ?? []) {
      if (type !== undefined) this.#calls.set(index, { type: 'function', function: { name, arguments: args }, id });
      else if (this.#calls.has(index)) this.#calls.get(index).function.arguments += args;
    }
  }

  /** The aggregate. Calls of a model that broke off may be half, and are dropped. */
  finish(failed) {
    const { content, reasoningContent, citations } = this;
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call).filter((call) => call.function.arguments !== '');
    return { content, reasoningContent, citations, toolCalls: failed ? undefined : calls, usage: this.#usage };
  }
}
