// Version 1: slices of a few characters at an adaptive pace, and citations in between.

import { setTimeout as wait } from 'node:timers/promises';
import { Streamer } from './streamer.mjs';

const markOf = (document, text) => `[citation: ${document}: ${text}]`;

export class V1 extends Streamer {
  #size = 5;
  #pending = [];
  #sources;

  constructor(stream, start) {
    super(stream, start);
    this.#sources = (start.attachments ?? []).filter(({ type }) => type === 'web').map(({ url, title }) => ({ url, title }));
  }

  opens() {
    this.stream.send('INIT_MESSAGE_CONTENT', {});
  }

  async delta({ content, index = -1, citation }, waiting, run) {
    if (content) this.flush(index);
    // Array.from cuts between characters, and not between the halves of one.
    for (let rest = Array.from(content); rest.length > 0 && !run.stopped;) {
      this.#say(rest.slice(0, this.#size).join(''));
      rest = rest.slice(this.#size);
      await this.#pace(waiting);
    }
    if (citation) this.#pending.push({ citation, index });
  }

  async #pace(waiting) {
    const [size, delay] = waiting < 1 ? [2, 15] : waiting < 5 ? [3, 10] : waiting < 10 ? [4, 5] : [5, 0];
    this.#size = size;
    if (delay > 0) await wait(delay);
  }

  #say(content) {
    this.total.content.push(content);
    this.stream.send('message', { content });
  }

  /** Sends the citations that wait for text of a content index, which is higher than their own; without one all of them. */
  flush(next = Infinity) {
    const due = this.#pending.filter(({ index }) => index < next);
    this.#pending = this.#pending.filter(({ index }) => index >= next);
    for (const { citation } of due) {
      this.total.citations.push(citation);
      this.#cite(citation.document_index, citation.cited_text);
    }
  }

  #cite(document, text) {
    const source = this.#sources[document] ?? {};
    source.cited_text ??= [];
    if (!source.cited_text.includes(text)) source.cited_text.push(text);
    this.stream.send('attachments', { payload: this.#sources });
    this.#say(markOf(document + 1, source.cited_text.indexOf(text) + 1));
  }
}
