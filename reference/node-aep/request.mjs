// What a client asks for, as spec/aep/2-request.md has it: checked, and reduced to what the agent is handed.

import { isObject } from './body.mjs';
import { Failure, malformed } from './failure.mjs';

/**
 * Checks a body and returns `texts`, one for each message, `threadId` if there is one, `results` of actions, and the rest
 * of the `context`. A text may have `limitBytes` in UTF-8.
 */
export function readRequest({ messages, threadId, context = {} }, limitBytes) {
  if (!Array.isArray(messages)) throw malformed('messages has to be an array');
  if (threadId !== undefined && !isName(threadId)) throw malformed('threadId has to be a text');
  if (!isObject(context)) throw malformed('context has to be an object');
  const { actionResults = [], ...rest } = context;
  checkResults(actionResults);
  // Beside results the user may have nothing to say.
  if (messages.length === 0 && actionResults.length === 0) throw malformed('messages is empty');
  const texts = messages.map(textOf);
  if (texts.some((text) => Buffer.byteLength(text) > limitBytes)) {
    throw new Failure('message_too_large', `a message may have ${limitBytes} bytes of text`);
  }
  return { texts, threadId, results: actionResults, context: rest };
}

function textOf(message) {
  if (!isObject(message)) throw malformed('a message has to be an object');
  if (message.role !== 'user') throw malformed('the role of a message has to be user');
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) throw malformed('the content of a message has to be an array of blocks');
  // White space stays as it is: it means something in code that a user pastes.
  return message.content.map(blockText).join('');
}

// A block that nobody looks at would be a question that nobody hears.
function blockText(block) {
  if (!isObject(block)) throw malformed('a block has to be an object');
  if (block.type !== 'text') throw malformed('only blocks of type text are taken');
  if (typeof block.text !== 'string') throw malformed('a text block needs a text');
  return block.text;
}

function checkResults(results) {
  if (!Array.isArray(results)) throw malformed('actionResults has to be an array');
  if (!results.every((result) => isObject(result) && isName(result.actionId))) {
    throw malformed('a result needs an actionId');
  }
}

function isName(value) {
  return typeof value === 'string' && value !== '';
}
