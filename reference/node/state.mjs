// What the tools of a step write. It is staged, and becomes operations of a patch when the step commits: only then is
// it certain which state they apply to.

import { isObject } from './chunks.mjs';
import { applyPatch, pointerTo } from './patch.mjs';

/** The operations that do to a state what was staged, in order. */
export function operationsFor(state, staged) {
  const operations = [];
  let current = state;
  for (const change of staged) {
    const next = operationsOf(change, current);
    current = applyPatch(current, next);
    operations.push(...next);
  }
  return operations;
}

function operationsOf({ set, append, delete: removed }, state) {
  const { key } = set ?? append ?? removed;
  const path = pointerTo(key);
  const isThere = isObject(state) && Object.hasOwn(state, key);
  if (removed) return isThere ? [{ op: 'remove', path }] : [];
  const op = isThere ? 'replace' : 'add';
  if (set) return [...objectFor(state), { op, path, value: set.value }];
  // Items are appended one by one behind whatever is there by then: an index would be wrong if somebody else appends.
  if (isThere && Array.isArray(state[key])) {
    return append.items.map((value) => ({ op: 'add', path: `${path}/-`, value }));
  }
  return [...objectFor(state), { op, path, value: append.items }];
}

// Only an object has members. Any other state gives way to one.
function objectFor(state) {
  return isObject(state) ? [] : [{ op: 'replace', path: '', value: {} }];
}
