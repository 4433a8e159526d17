// Who asks. Users are told apart by a bearer token; some may ask only so often.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Failure } from './failure.mjs';

const windowMs = 60_000;

/** Reads the users of a JSON file: an array of `name`, `token` and, if a user's rate is limited, `perMinute`. */
export function loadUsers(file) {
  const users = JSON.parse(readFileSync(file, 'utf8')).map(({ token, ...user }) => [digest(token), new User(user)]);
  return new Users(new Map(users));
}

class Users {
  #byDigest;

  constructor(byDigest) {
    this.#byDigest = byDigest;
  }

  /** The user whose credential came with a request. */
  of(request) {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    // Looked up by digest: how long it takes says nothing about the tokens that there are.
    const user = scheme.toLowerCase() === 'bearer' && token ? this.#byDigest.get(digest(token)) : undefined;
    // What came is never repeated: answers end up in logs.
    if (!user) throw new Failure('auth_failed', 'the credential is missing or wrong', { 'WWW-Authenticate': 'Bearer' });
    return user;
  }
}

class User {
  #windowEnds = 0;
  #count = 0;

  constructor({ name, perMinute = Infinity }) {
    this.name = name;
    this.perMinute = perMinute;
  }

  /** Counts one request, and refuses it when it is one too many. The minute begins with the first. */
  count() {
    const now = performance.now();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + windowMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= this.perMinute) return;
    const seconds = Math.ceil((this.#windowEnds - now) / 1000);
    throw new Failure('rate_limit_exceeded', `${this.perMinute} requests a minute are taken`, { 'Retry-After': seconds });
  }
}

function digest(token) {
  return createHash('sha256').update(token).digest('hex');
}
