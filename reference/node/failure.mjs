// What goes wrong in a run, classified: a text for people, a code for programs, and whether the run survives it.

export class Failure extends Error {
  constructor(message, { code, isRecoverable = false } = {}) {
    super(message || code || 'the run failed without saying why');
    this.code = code;
    this.isRecoverable = isRecoverable;
  }
}

/** Thrown into what is at work when its agent has failed or took too long. */
export class Cancelled extends Failure {
  constructor() {
    super('the work was cancelled', { code: 'framework_cancelled' });
  }
}

/** The failure that an error of a script stands for. What nobody classified is fatal and has no code. */
export function failureOf({ message, code, retryable, last, abort }) {
  if (abort) return new Failure(message, { code: 'framework_cancelled' });
  return new Failure(message, { code, isRecoverable: code !== undefined && retryable === true && last !== true });
}

const stops = new Map([
  ['max_tokens', { message: 'the model reached its limit of tokens', code: 'provider_error', isRecoverable: true }],
  ['content_filter', { message: 'the answer was stopped by a content filter', code: 'provider_content_filtered' }],
  ['refusal', { message: 'the model refused to answer', code: 'provider_refused' }],
  ['error', { message: 'the model stopped with an error', code: 'provider_error' }],
  ['unknown', { message: 'the model stopped for an unknown reason', code: 'provider_error' }],
]);

export const stopReasons = ['end_turn', 'stop_sequence', 'tool_use', ...stops.keys()];

/** The failure that a stop reason is, if it is one. */
export function failureOfStop(reason) {
  const stop = stops.get(reason);
  return stop && new Failure(stop.message, stop);
}

/** Anything that was thrown, as a failure. */
export function asFailure(error) {
  if (error instanceof Failure) return error;
  console.error(error);
  return new Failure(error?.message, { code: 'framework_internal_error' });
}
