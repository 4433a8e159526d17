// The event manager: steps with a status, sent whole each time that something changes.

import { randomUUID } from 'node:crypto';

export class Manager {
  #stream;
  #index;
  #isV2;
  #steps = [];

  constructor(stream, { manager = 'V1', eventManagerIndex = 0 }) {
    this.#stream = stream;
    this.#index = eventManagerIndex;
    this.#isV2 = manager === 'V2';
    if (!this.#isV2) this.#title({});
  }

  do({ do: what, step: name, name: title, icon, values = [], tags = [] }) {
    if (what === 'rename') return this.#title({ name: title, icon });
    let step = this.#steps.find((one) => one.name === name);
    if (what === 'create' || (what === 'latest' && !step)) step = this.#create(name, icon);
    if (!step) return undefined;
    if (what === 'latest') step.status = 'IN_PROGRESS';
    if (what === 'end') step.status = 'DONE';
    step.tags.push(...tags);
    step.values.push(...values, ...tags.map((value) => ({ type: 'TEXT', value })));
    return this.#send(step);
  }

  #create(name, icon = 'DEFAULT') {
    const step = { id: randomUUID(), index: this.#steps.length, name, status: 'IN_PROGRESS', icon, values: [], tags: [] };
    this.#steps.push(step);
    return step;
  }

  #title(payload) {
    if (this.#isV2) return this.#message(payload);
    return this.#stream.send('progress', { payload, metadata: { type: 'HEADING' } });
  }

  #send(step) {
    if (this.#isV2) return this.#message({ steps: step });
    const { tags, index, ...payload } = step;
    return this.#stream.send('progress', { payload });
  }

  #message(progress) {
    return this.#stream.send('message', { content: '', index: this.#index, type: 'progress', progress });
  }
}
