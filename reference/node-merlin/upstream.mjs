// What the model sends: bytes that were cut anywhere, and the events in them.

export class Upstream {
  #decoder = new TextDecoder(); // keeps the bytes of a character that was cut
  #rest = '';
  #edge = ''; // the last characters of the rest, with which a blank line may begin
  #half = '';

  /** Returns the deltas of the events that these bytes complete. */
  read(bytes) {
    const text = this.#decoder.decode(bytes, { stream: true });
    const near = this.#edge + text;
    this.#rest += text;
    this.#edge = near.slice(-3);
    // A long event is searched once, and not again with each of its pieces.
    if (!/\n\r?\n|\r\r/.test(near)) return [];
    const blocks = this.#rest.split(/\r?\n\r?\n|\r\r/);
    this.#rest = blocks.pop();
    return blocks.map((block) => this.#event(block)).filter((event) => event !== undefined);
  }

  // What is no JSON, such as [DONE] or a comment, says nothing.
  #event(block) {
    const data = block.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
    try {
      const { choices, usage } = JSON.parse(data);
      const delta = choices?.[0]?.delta ?? {};
      return { ...delta, content: this.#whole(delta.content ?? ''), usage };
    } catch {
      return undefined;
    }
  }

  // Some models escape, and end an event inside of a character. Its first half waits for the second.
  #whole(content) {
    const text = this.#half + content;
    const isCut = /[\ud800-\udbff]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return isCut ? text.slice(0, -1) : text;
  }
}
