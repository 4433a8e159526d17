// What can go wrong, as spec/aep/9-errors.md lists it: codes, their statuses, and whether trying again may help. Before
// a stream begins a failure is the answer, afterwards it is an event; the JSON is the same.

import { randomUUID } from 'node:crypto';

const table = {
  invalid_message_format: [400, false],
  invalid_action_id: [400, false],
  auth_failed: [401, false],
  thread_access_denied: [403, false],
  thread_not_found: [404, false],
  message_too_large: [413, false],
  rate_limit_exceeded: [429, true],
  internal_error: [500, true],
  stream_timeout: [504, true],
  // These two need a running agent, so they come as events. 500 is for a server that has to answer with one anyway.
  agent_error: [500, false],
  tool_error: [500, false],
};

// What the protocol has no word for.
const ours = {
  control_token_required: [403, false],
  agent_not_found: [404, false],
  request_not_found: [404, false],
  route_not_found: [404, false],
  method_not_allowed: [405, false],
  act_not_implemented: [501, false],
};

export class Failure extends Error {
  constructor(code, message, headers = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
    [this.status, this.retryable] = table[code] ?? ours[code];
  }

  /** The members that an error event has beside those of every event. */
  get members() {
    return { code: this.code, retryable: this.retryable, message: this.message };
  }

  /** The body of an answer that refuses: a whole error event, with an id of its own. */
  get body() {
    return { event: 'error', requestId: randomUUID(), timestamp: new Date().toISOString(), ...this.members };
  }
}

export const malformed = (message) => new Failure('invalid_message_format', message);

/** Whatever was thrown, as a failure. What nobody foresaw is the server's, and is told to the log alone. */
export function asFailure(error) {
  if (error instanceof Failure) return error;
  console.error(error);
  return new Failure('internal_error', 'the server failed');
}
