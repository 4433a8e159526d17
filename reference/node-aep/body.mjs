// The JSON body of a request.

import { Failure, malformed } from './failure.mjs';

const limitBytes = 16 * 1024 * 1024;

/** Reads a body whole and decodes it. It has to be a JSON object. */
export async function readBody(request) {
  const value = parse(await readBytes(request));
  if (!isObject(value)) throw malformed('the body has to be a JSON object');
  return value;
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readBytes(request) {
  return new Promise((resolve, reject) => {
    const parts = [];
    let size = 0;
    request.on('data', (part) => {
      size += part.length;
      // The rest of a body that is too large is read and forgotten: a client that is still sending hears no answer.
      if (size <= limitBytes) return parts.push(part);
      parts.length = 0;
      return reject(new Failure('message_too_large', 'a body of more than 16 MiB is not taken'));
    });
    request.on('error', reject);
    request.on('end', () => resolve(Buffer.concat(parts)));
  });
}

function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refuseHugeNumber);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Deeper nesting than the parser can follow is the client's doing.
    if (error instanceof RangeError) throw malformed('the body is nested too deeply');
    throw malformed('the body has to be JSON in UTF-8');
  }
}

// 1e400 becomes Infinity, and Infinity becomes null: it would not reach the agent as it was sent.
function refuseHugeNumber(member, value) {
  if (value === Infinity || value === -Infinity) throw malformed('a number of the body is beyond what a double can hold');
  return value;
}
