// The part of JSON Schema that outputs are checked by. A keyword that it doesn't know is refused when the run starts,
// and not when its output is due.

import { isDeepStrictEqual } from 'node:util';
import { isObject } from './chunks.mjs';
import { invalid } from './refusal.mjs';

const types = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};
const lengthOf = (text) => [...text].length;
const onText = (check) => (value, limit) => typeof value !== 'string' || check(value, limit);
const onNumber = (check) => (value, limit) => typeof value !== 'number' || check(value, limit);
const onList = (check) => (value, limit, schema) => !Array.isArray(value) || check(value, limit, schema);
const onObject = (check) => (value, limit, schema) => !isObject(value) || check(value, limit, schema);

const keywords = new Map(Object.entries({
  type: (value, names) => [names].flat().some((name) => types[name]?.(value)),
  const: (value, expected) => isDeepStrictEqual(value, expected),
  enum: (value, choices) => choices.some((choice) => isDeepStrictEqual(value, choice)),
  minLength: onText((value, limit) => lengthOf(value) >= limit),
  maxLength: onText((value, limit) => lengthOf(value) <= limit),
  pattern: onText((value, pattern) => new RegExp(pattern, 'u').test(value)),
  minimum: onNumber((value, limit) => value >= limit),
  maximum: onNumber((value, limit) => value <= limit),
  exclusiveMinimum: onNumber((value, limit) => value > limit),
  exclusiveMaximum: onNumber((value, limit) => value < limit),
  multipleOf: onNumber((value, divisor) => Number.isInteger(value / divisor)),
  minItems: onList((value, limit) => value.length >= limit),
  maxItems: onList((value, limit) => value.length <= limit),
  items: onList((value, schema) => value.every((item) => fits(item, schema))),
  required: onObject((value, names) => names.every((name) => Object.hasOwn(value, name))),
  minProperties: onObject((value, limit) => Object.keys(value).length >= limit),
  maxProperties: onObject((value, limit) => Object.keys(value).length <= limit),
  properties: onObject((value, schemas) =>
    Object.entries(schemas).every(([name, schema]) => !Object.hasOwn(value, name) || fits(value[name], schema))),
  additionalProperties: onObject((value, schema, { properties = {} }) =>
    Object.keys(value).every((name) => Object.hasOwn(properties, name) || fits(value[name], schema))),
  allOf: (value, schemas) => schemas.every((schema) => fits(value, schema)),
  anyOf: (value, schemas) => schemas.some((schema) => fits(value, schema)),
  oneOf: (value, schemas) => schemas.filter((schema) => fits(value, schema)).length === 1,
  not: (value, schema) => !fits(value, schema),
}));
const annotations = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'format']);

/** Whether a value satisfies a schema. */
export function fits(value, schema) {
  if (typeof schema === 'boolean') return schema;
  return Object.entries(schema).every(([word, limit]) => keywords.get(word)?.(value, limit, schema) ?? true);
}

/** Throws a refusal for a schema that can't be checked here. */
export function checkSchema(schema) {
  if (typeof schema === 'boolean') return;
  if (!isObject(schema)) throw invalid('a schema has to be an object');
  for (const [word, value] of Object.entries(schema)) {
    if (!keywords.has(word) && !annotations.has(word)) throw invalid(`${word} of JSON Schema is not supported here`);
    if (word === 'properties') Object.values(value).forEach(checkSchema);
    if (['items', 'not', 'additionalProperties'].includes(word)) checkSchema(value);
    if (['allOf', 'anyOf', 'oneOf'].includes(word)) value.forEach(checkSchema);
  }
}
