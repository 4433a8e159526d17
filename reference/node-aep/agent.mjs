// The agents. An agent is an asynchronous generator: it is handed a turn and yields parts, one after the other. Put
// yours in place of the parrot.
//
// A turn has the `texts` of the user, the `history` before them, the `results` of actions, the `context` of the
// application, and a `signal` that aborts when nobody waits for the answer any more. A part is an object with one member:
//
//   text, thinking   a piece of what the agent says or thinks
//   call             a tool that it calls: toolCallId, toolName, args
//   outcome          how the call went: toolCallId, status, summary
//   action           what the client is asked to do: kind, payload
//
// What an agent throws is reported as agent_error, unless it is a Failure with another code.

async function* parrot({ texts }) {
  yield { thinking: 'The user wants to be answered.' };
  yield { text: 'You said: ' };
  yield { text: texts.join(' ') };
}

/** By name: who answers, and how long an answer may take in all. */
export const agents = new Map([
  ['conformance', { answer: parrot, timeoutMs: 120_000 }],
  ['impatient', { answer: parrot, timeoutMs: 2000 }],
]);
