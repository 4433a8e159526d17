// What a request is answered with when it can't be done. The codes are those of spec/helix/6-errors.md; a status that
// no code has goes without one.

export class Refusal extends Error {
  constructor(status, message, code, headers = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const invalid = (message) => new Refusal(400, message, 'validation_error');
export const unknown = (what) => new Refusal(404, `there is no such ${what}`, 'state_session_not_found');
export const conflict = (message) => new Refusal(409, message, 'state_concurrency_conflict');
export const alreadyRunning = (message) => new Refusal(409, message, 'state_already_running');
export const notResumable = (message) => new Refusal(409, message, 'state_not_resumable');
