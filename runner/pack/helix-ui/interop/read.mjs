// What the client of the AI SDK makes of streams. Reads a JSON array from its input, whose items have a name and a body, or
// the api and the chat of an answer to be read again; says so when the first part of such a one has come. Writes an object.
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import { writeSync } from 'node:fs';

async function assembled(stream, begun) {
  let message, error;
  try {
    for await (const now of readUIMessageStream({ stream, onError: (e) => { error ??= e; }, terminateOnError: true })) {
      if (now.parts.some((part) => part.type === 'text')) begun();
      message = structuredClone(now);
    }
  } catch (e) { error ??= e; }
  return { parts: message?.parts ?? [], metadata: message?.metadata, error: error && String(error.message) };
}

let input = '';
for await (const piece of process.stdin) input += piece;
const out = {};
for (const { name, body, api, chat } of JSON.parse(input)) {
  const head = { headers: { 'content-type': 'text/event-stream' } };
  const transport = new DefaultChatTransport(api ? { api } : { api: 'http://localhost/', fetch: async () => new Response(body, head) });
  try {
    let told = false;
    const begun = () => { if (api && !told) writeSync(2, 'begun\n'); told = true; };
    const stream = api ? await transport.reconnectToStream({ chatId: chat }) : await transport.sendMessages({ chatId: 'c', messages: [], trigger: 'submit-message' });
    out[name] = stream === null ? { nothing: true } : await assembled(stream, begun);
  } catch (e) { out[name] = { parts: [], error: String(e.message) }; }
}
writeSync(1, JSON.stringify(out));
