// The JSON body of a request.

import { Refusal, invalid } from './refusal.mjs';

const limitBytes = 16 * 1024 * 1024;

/** Reads a body whole and decodes it. One that isn't there counts as {}. Refuses with 413 beyond 16 MiB. */
export async function readBody(body) {
  const bytes = await readBytes(body).catch((error) => {
    throw error instanceof Refusal ? error : invalid('the body broke off');
  });
  return bytes.length === 0 ? {} : parseBody(bytes);
}

async function readBytes(body) {
  const parts = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    // The rest of a body that is too large is read and forgotten: a client that is still sending hears no answer.
    if (size <= limitBytes) parts.push(part);
    else parts.length = 0;
  }
  if (size > limitBytes) throw new Refusal(413, 'a body of more than 16 MiB is not taken');
  return Buffer.concat(parts);
}

function parseBody(bytes) {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalid('the body has to be JSON in UTF-8');
  }
}

/** The value of a JSON text. Throws for what is none, or can't be passed on as it is. */
export function parseJson(text) {
  return JSON.parse(text, refuseHugeNumber);
}

// 1e400 becomes Infinity, and Infinity becomes null: the chunk would not arrive as it was written.
function refuseHugeNumber(member, value) {
  if (value === Infinity || value === -Infinity) throw invalid(`${member} has to be a number that a double can hold`);
  return value;
}
