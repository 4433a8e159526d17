// Ids that nobody else has given out.

import { randomUUID } from 'node:crypto';

export const newId = (kind) => `${kind}-${randomUUID()}`;

/** The form that tools sort and group checkpoints by. */
export function newCheckpointId(session, stepCount) {
  return `cpv1-${session}-s${stepCount}-t${Date.now()}-${randomUUID().slice(-12)}`;
}
