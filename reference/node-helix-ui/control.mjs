// The control binding of spec/helix-ui/control.md: the agent does what a request says, so that a test can provoke the server.
// It belongs into test builds only; without a token there is none.

import { timingSafeEqual } from 'node:crypto';
import { refusal } from './refusal.mjs';

const token = process.env.CONTROL_TOKEN;

export function checkToken(request) {
  const given = Buffer.from(request.headers['x-streamcert-control'] ?? '');
  const want = Buffer.from(token ?? '');
  if (!token || given.length !== want.length || !timingSafeEqual(given, want)) throw refusal(403, 'control calls need their token');
}

/** The script and the metadata of a request; undefined where it has none. */
export function readConformance(request, { conformance }, chat) {
  if (conformance === undefined || !token) return undefined;
  checkToken(request);
  const { script, startMetadata, finishMetadata } = conformance ?? {};
  if (!Array.isArray(script)) throw refusal(400, 'a script is a list of acts');
  if (script.some((one) => !acts[Object.keys(one ?? {})[0]])) throw refusal(501, 'this server does not know an act');
  return { script, startMetadata: computed(startMetadata, chat), finishMetadata: computed(finishMetadata, chat) };
}

// Metadata may be a function of the agent's id, which is that of the chat.
function computed(metadata, chat) {
  return metadata && Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, value === '{agentId}' ? chat : value]));
}

/** Without a script the agent repeats the user's text. */
export function parrot({ parts }) {
  return [{ text: parts.map(({ text }) => text ?? '').join('') }];
}

/** Whether the client has to answer the call of an act. */
export const waits = ({ tool }) => Boolean(tool?.approval || tool?.client);

/** Performs an act. */
export const act = (agent, turn, one) => Object.entries(one).map(([name, value]) => acts[name](agent, value, turn))[0];

const acts = {
  text: (agent, text) => agent.chunk({ type: 'text_delta', delta: text }),
  tool: (agent, tool) => agent.call(tool),
  fail: (agent, error) => agent.chunk({ type: 'error', error, recoverable: false }),
  finish: (agent, reason) => { agent.reason = reason; },
  await: (agent, name, turn) => turn.barrier(name).passed,
  hang: () => new Promise(() => {}),
  chunk: (agent, chunk) => agent.chunk(chunk),
  part: (agent, part) => agent.part(part),
  async thinking(agent, thought, turn) {
    let content = '';
    for (const piece of [thought].flat()) {
      if (piece.await) await turn.barrier(piece.await).passed;
      else {
        content += piece;
        agent.chunk({ type: 'thinking', content: piece, isComplete: false });
      }
    }
    agent.chunk({ type: 'thinking', content, isComplete: true });
  },
};
