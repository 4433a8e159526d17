// A chat route on node:http, whose stream an application writes: what the model says is merged into it.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, stepCountIs, streamText } from 'ai';
import { model, tools } from './model.mjs';

async function POST(request) {
  const { messages } = await request.json();
  const stream = createUIMessageStream({
    execute: async ({ writer }) => {
      const result = streamText({ model, tools, messages: await convertToModelMessages(messages), stopWhen: stepCountIs(5), maxRetries: 0, onError() {} });
      writer.merge(result.toUIMessageStream());
    },
  });
  return createUIMessageStreamResponse({ stream });
}

createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(404).end();
  let body = '';
  for await (const piece of request) body += piece;
  const answer = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  Readable.fromWeb(answer.body).pipe(response);
}).listen(Number(process.env.PORT), '127.0.0.1');
