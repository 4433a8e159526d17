// Who may ask at all: whoever sends the token, where there is one. EventSource can't send a header; behind one, put a
// cookie in its place.

import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.mjs';

const digest = (text) => createHash('sha256').update(text).digest();

export function checkCredential({ headers }, token) {
  if (token === '') return;
  // Digests have one length, and are compared in one time whatever was sent.
  if (timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))) return;
  throw new Refusal(401, 'a request needs a credential', undefined, { 'WWW-Authenticate': 'Bearer' });
}
