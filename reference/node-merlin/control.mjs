// The control binding of spec/merlin/control.md: it does what a request says, so that a test can provoke the server. It belongs
// into test builds only; server.mjs leaves it alone unless there is a control token.

import { timingSafeEqual } from 'node:crypto';

const rememberedRuns = 10_000;
const failure = (status, message) => Object.assign(new Error(message), { status });
const known = ['delta', 'usage', 'bytes', 'split', 'abort', 'stop', 'await', 'progress', 'subagent', 'toolResult', 'handoff'];

/** Checks what a request has in `conformance`; undefined where it has none. */
export function readScript(conformance) {
  if (conformance === undefined) return undefined;
  const { stream, acts } = conformance ?? {};
  if (typeof stream !== 'string' || stream === '' || !Array.isArray(acts)) throw failure(400, 'a script has a stream and acts');
  for (const act of acts) {
    const names = Object.keys(act ?? {});
    if (names.length !== 1 || !known.includes(names[0])) throw failure(400, 'an act has one member that is known');
  }
  return conformance;
}

export class Controls {
  #token;
  #runs = new Map();

  constructor(token) {
    this.#token = token;
  }

  get isOpen() {
    return this.#token !== undefined;
  }

  check(request) {
    const given = Buffer.from(request.headers['x-streamcert-control'] ?? '');
    const token = Buffer.from(this.#token ?? '');
    if (!this.isOpen || given.length !== token.length || !timingSafeEqual(given, token)) throw failure(403, 'control calls need their token');
  }

  begin({ stream, acts, ...start }) {
    const run = new Run(start, acts);
    this.#runs.set(stream, run);
    if (this.#runs.size > rememberedRuns) this.#runs.delete(this.#runs.keys().next().value);
    return run;
  }

  /** The aggregate of a stream that is over. */
  aggregate(request, stream) {
    this.check(request);
    const total = this.#runs.get(stream)?.total;
    if (!total) throw failure(404, 'there is no such stream, or it is not over');
    return total;
  }

  release(request, stream, barrier) {
    this.check(request);
    if (typeof barrier !== 'string' || barrier === '') throw failure(400, 'a release names a barrier');
    const run = this.#runs.get(stream);
    if (!run) throw failure(404, 'there is no such stream');
    run.barrier(barrier).open();
  }
}

class Run {
  total = undefined;
  failed = false;
  stopped = false;
  #barriers = new Map();
  #acts;

  constructor(start, acts) {
    this.start = start;
    this.#acts = acts;
  }

  barrier(name) {
    if (!this.#barriers.has(name)) this.#barriers.set(name, Promise.withResolvers?.() ?? resolvers());
    const { promise, resolve } = this.#barriers.get(name);
    return { promise, open: resolve };
  }

  stop() {
    this.stopped = true;
    for (const { resolve } of this.#barriers.values()) resolve();
  }

  /** What happens, one thing after the other. What the model sends in a row comes at once. */
  get acts() {
    return this.#play();
  }

  async* #play() {
    let row = [];
    for (const act of [...this.#acts, undefined]) {
      if (act !== undefined && isUpstream(act)) {
        row.push(act);
        continue;
      }
      if (row.length > 0) yield { pieces: piecesOf(row) };
      row = row.filter(({ split }) => split !== undefined).slice(-1);
      if (act === undefined || act.abort) {
        this.failed = act !== undefined;
        return;
      }
      if (act.stop) this.stop();
      else if (act.await) await this.barrier(act.await).promise;
      else if (act.subagent) yield { subagent: { ...act.subagent, pieces: piecesOf(act.subagent.acts) } };
      else yield act;
    }
  }
}

// Node 20 has no Promise.withResolvers.
function resolvers() {
  let resolve;
  return { promise: new Promise((done) => { resolve = done; }), resolve };
}

const isUpstream = (act) => ['delta', 'usage', 'bytes', 'split'].some((name) => act[name] !== undefined);

function piecesOf(acts) {
  const pieces = [];
  let split = 0;
  let joined = Buffer.alloc(0);
  const cut = () => {
    for (; joined.length > 0; joined = joined.subarray(split)) pieces.push(joined.subarray(0, split));
  };
  for (const act of acts) {
    if (act.split !== undefined) {
      if (split > 0) cut();
      split = act.split;
    } else if (split > 0) joined = Buffer.concat([joined, bytesOf(act)]);
    else pieces.push(bytesOf(act));
  }
  if (split > 0) cut();
  return pieces;
}

function bytesOf({ delta, usage, bytes }) {
  if (bytes !== undefined) return Buffer.from(bytes);
  const event = usage ? { choices: [], usage } : { choices: [{ delta }] };
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
