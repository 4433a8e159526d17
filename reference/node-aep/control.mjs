// The control binding of spec/aep/control.md, for test builds: what a script needs besides the request that holds it.

import { timingSafeEqual } from 'node:crypto';
import { Failure, malformed } from './failure.mjs';

/** Refuses a request that doesn't bring the token of control calls. */
export function checkToken(request, token) {
  const given = Buffer.from(request.headers['x-streamcert-control'] ?? '');
  const wanted = Buffer.from(token);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Failure('control_token_required', 'control calls need their token');
  }
}

/** POST /control/aep/release: lets a script go on that waits at a barrier, now or later. */
export function release(runs, { requestId, barrier }) {
  if (typeof barrier !== 'string' || barrier === '') throw malformed('barrier has to be a text');
  const run = runs.get(requestId);
  if (!run) throw new Failure('request_not_found', 'there is no such request');
  run.release(barrier);
  return { status: 204 };
}
