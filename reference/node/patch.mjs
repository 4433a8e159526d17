// JSON Patch, RFC 6902, on documents that are never changed in place: what an operation doesn't touch is shared between
// the old document and the new one, so a patch that fails half way has done nothing.

import { isDeepStrictEqual } from 'node:util';
import { isObject } from './chunks.mjs';

/** The document after all operations. Throws an Error when one doesn't apply. */
export function applyPatch(document, operations) {
  return operations.reduce(applyOperation, document);
}

export const pointerTo = (...keys) => keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function applyOperation(document, { op, path, from, value }) {
  const target = tokensOf(path);
  switch (op) {
    case 'add': return add(document, target, value);
    case 'remove': return remove(document, target);
    case 'replace': return replace(document, target, value);
    case 'copy': return add(document, target, read(document, tokensOf(from)));
    case 'move': return move(document, tokensOf(from), target);
    case 'test': return test(document, target, value);
    default: throw new Error(`there is no operation ${op}`);
  }
}

function tokensOf(pointer) {
  return pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(document, tokens) {
  return tokens.reduce((value, token) => value[keyOf(value, token)], document);
}

function add(document, tokens, value) {
  if (tokens.length === 0) return value;
  return within(document, tokens, (parent, token) => {
    if (isObject(parent)) return { ...parent, [token]: value };
    const index = token === '-' ? parent.length : indexOf(parent, token, parent.length);
    return parent.toSpliced(index, 0, value);
  });
}

function remove(document, tokens) {
  if (tokens.length === 0) return null;
  return within(document, tokens, (parent, token) => {
    const key = keyOf(parent, token);
    if (Array.isArray(parent)) return parent.toSpliced(key, 1);
    const { [key]: removed, ...rest } = parent;
    return rest;
  });
}

function replace(document, tokens, value) {
  if (tokens.length === 0) return value;
  return within(document, tokens, (parent, token) => withMember(parent, keyOf(parent, token), value));
}

function move(document, from, target) {
  const value = read(document, from);
  return add(remove(document, from), target, value);
}

function test(document, tokens, value) {
  if (!isDeepStrictEqual(read(document, tokens), value)) throw new Error('the test failed');
  return document;
}

/** Changes the parent of what the tokens name, and copies the way to it. */
function within(document, [token, ...rest], change) {
  if (rest.length === 0) {
    if (!isObject(document) && !Array.isArray(document)) throw new Error('only objects and lists have members');
    return change(document, token);
  }
  const key = keyOf(document, token);
  return withMember(document, key, within(document[key], rest, change));
}

function withMember(parent, key, value) {
  return Array.isArray(parent) ? parent.with(key, value) : { ...parent, [key]: value };
}

/** The key of a member that is there. */
function keyOf(parent, token) {
  if (Array.isArray(parent)) return indexOf(parent, token, parent.length - 1);
  // `constructor` and its like are members only where somebody has set them.
  if (isObject(parent) && Object.hasOwn(parent, token)) return token;
  throw new Error(`there is no ${token}`);
}

function indexOf(list, token, highest) {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Infinity;
  if (index > highest) throw new Error(`there is no item ${token}`);
  return index;
}
