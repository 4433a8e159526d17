// What servers made with the AI SDK send, whatever their provider answers. Writes an object: the body of a response, by the
// name of what the provider, or the application, does.
import { createUIMessageStream, createUIMessageStreamResponse, dynamicTool, jsonSchema, simulateReadableStream, stepCountIs, streamText, tool } from 'ai';
import * as testing from 'ai/test';
import { writeSync } from 'node:fs';

const Model = testing.MockLanguageModelV4 ?? testing.MockLanguageModelV3;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const finish = (unified = 'stop') => ({ type: 'finish', finishReason: { unified, raw: unified }, usage });
const text = (id, ...deltas) => [{ type: 'text-start', id }, ...deltas.map((delta) => ({ type: 'text-delta', id, delta })), { type: 'text-end', id }];
const thought = (id, ...deltas) => [{ type: 'reasoning-start', id }, ...deltas.map((delta) => ({ type: 'reasoning-delta', id, delta })), { type: 'reasoning-end', id, providerMetadata: { p: { signature: 's' } } }];
const call = (toolCallId, toolName, more = {}, input = '{"q":"a"}') => ({ type: 'tool-call', toolCallId, toolName, input, ...more });
const pieces = (id, toolName, more = {}) => [
  { type: 'tool-input-start', id, toolName, ...more }, { type: 'tool-input-delta', id, delta: '{"q":' },
  { type: 'tool-input-delta', id, delta: '"a"}' }, { type: 'tool-input-end', id }, call(id, toolName, more),
];
const provided = { providerExecuted: true, dynamic: true };
const result = (toolCallId, toolName, more = {}) => ({ type: 'tool-result', toolCallId, toolName, result: { sum: 11 }, ...more });
const inputSchema = jsonSchema({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false });

const tools = {
  lookup: tool({ inputSchema, execute: async ({ q }) => q + '!' }),
  progress: tool({ inputSchema, async *execute() { yield 'half'; yield 'whole'; } }),
  fails: tool({ inputSchema, execute: async () => { throw new Error('no such city'); } }),
  open: dynamicTool({ inputSchema, execute: async () => 'any' }),
  client: tool({ inputSchema }),
};

// Each is the answers of a provider, a list a step.
const answers = {
  'a text': [[...text('1', 'Hello', ' there.'), finish()]],
  'empty deltas': [[...text('1', '', 'Hello', ''), ...text('2'), finish()]],
  'a text of many lines': [[...text('1', 'a\n\nb\r\ndata: c\u2028\u0000'), finish()]],
  'texts side by side': [[{ type: 'text-start', id: '1' }, { type: 'text-start', id: '2' }, { type: 'text-delta', id: '2', delta: 'b' }, { type: 'text-delta', id: '1', delta: 'a' }, { type: 'text-end', id: '1' }, { type: 'text-end', id: '2' }, finish()]],
  'a thought': [[...thought('1', 'Hm.'), ...text('1', 'So.'), finish()]],
  'a thought that is redacted': [[...thought('1'), ...thought('2', ''), ...text('3', 'So.'), finish()]],
  'the ids of calls by step': [[...pieces('call_0', 'lookup'), finish('tool-calls')], [...pieces('call_0', 'lookup'), finish('tool-calls')], [...text('0', 'Both.'), finish()]],
  'the ids of texts by step': [[...text('0', 'One.'), call('a', 'lookup'), finish('tool-calls')], [...text('0', 'Two.'), finish()]],
  'calls side by side': [[...pieces('a', 'lookup'), ...pieces('b', 'progress'), call('c', 'open'), finish('tool-calls')], [...text('0', 'All.'), finish()]],
  'a call that fails': [[...pieces('a', 'fails'), finish('tool-calls')], [...text('0', 'Hm.'), finish()]],
  'a call of no tool': [[...pieces('a', 'nothing'), finish('tool-calls')], [...text('0', 'Hm.'), finish()]],
  'a wrong input': [[...pieces('a', 'lookup').slice(0, -1), call('a', 'lookup', {}, '{"q":'), finish('tool-calls')], [...text('0', 'Hm.'), finish()]],
  'a call for the client': [[...pieces('a', 'client'), finish('tool-calls')]],
  'a call for the client beside another': [[...pieces('a', 'client'), ...pieces('b', 'lookup'), finish('tool-calls')]],
  'a call that the provider runs': [[...pieces('a', 'search', provided), result('a', 'search', provided), ...text('0', 'Found.'), finish()]],
  'a call that the provider fails at': [[call('a', 'search', provided), result('a', 'search', { ...provided, isError: true }), ...text('0', 'Hm.'), finish()]],
  'a call that the provider shows early': [[call('a', 'search', provided), result('a', 'search', { ...provided, preliminary: true }), result('a', 'search', provided), finish()]],
  'a call that the provider asks for': [[call('a', 'search', provided), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }, finish('stop')]],
  'sources and files': [[{ type: 'source', sourceType: 'url', id: 's', url: 'https://example.com/', title: 'T' }, { type: 'source', sourceType: 'document', id: 'd', mediaType: 'text/plain', title: 'D' }, { type: 'file', mediaType: 'image/png', data: testing.MockLanguageModelV4 ? { type: 'data', data: 'aGk=' } : 'aGk=' }, ...text('1', 'See.'), finish()]],
  'too long': [[...text('1', 'Hello'), finish('length')]],
  'filtered': [[...text('1', 'Hello'), finish('content-filter')]],
  'another reason': [[...text('1', 'Hello'), finish('other')]],
  'an error': [[{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Hello' }, { type: 'error', error: new Error('overloaded') }, finish('error')]],
  'no finish': [[...text('1', 'Hello')]],
};

const answered = (steps) => {
  let next = 0;
  const model = new Model({ doStream: async () => ({ stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...steps[Math.min(next++, steps.length - 1)]], chunkDelayInMs: null, initialDelayInMs: null }) }) });
  return streamText({ model, tools, prompt: 'Hi', stopWhen: stepCountIs(steps.length), onError() {} });
};
const hello = [[...text('1', 'Hello'), finish()]];

// Each is what an application writes, as the documentation has it.
const written = {
  'a text before the model': ({ writer }) => { text('e', 'Hello').forEach((p) => writer.write(p)); writer.merge(answered(hello).toUIMessageStream()); },
  'transient data before the model': ({ writer }) => { writer.write({ type: 'data-note', data: 1, transient: true }); writer.merge(answered(hello).toUIMessageStream()); },
  'start, data and the model': ({ writer }) => { writer.write({ type: 'start' }); writer.write({ type: 'data-note', id: 'n', data: 1 }); writer.merge(answered(hello).toUIMessageStream({ sendStart: false })); },
  'two models one after the other': async ({ writer }) => {
    const first = answered(hello);
    writer.merge(first.toUIMessageStream({ sendFinish: false }));
    await first.text;
    writer.merge(answered(hello).toUIMessageStream({ sendStart: false }));
  },
  'an output for an earlier call': ({ writer }) => { writer.write({ type: 'tool-output-available', toolCallId: 'old', output: 'yes' }); writer.merge(answered(hello).toUIMessageStream()); },
  'an execution that throws': ({ writer }) => { writer.write({ type: 'start' }); throw new Error('no'); },
};

const out = {};
for (const [name, steps] of Object.entries(answers)) {
  const head = { sendSources: true, sendReasoning: true, messageMetadata: ({ part }) => (part.type === 'start' ? { at: 1 } : undefined) };
  out[name] = await answered(steps).toUIMessageStreamResponse(head).text();
  out[name + ', through a writer'] = await createUIMessageStreamResponse({
    stream: createUIMessageStream({ execute: ({ writer }) => writer.merge(answered(steps).toUIMessageStream(head)) }),
  }).text();
}
for (const [name, execute] of Object.entries(written)) {
  out[name] = await createUIMessageStreamResponse({ stream: createUIMessageStream({ execute }) }).text();
}
writeSync(1, JSON.stringify(out));
