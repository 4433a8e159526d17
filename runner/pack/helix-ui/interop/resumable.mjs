// A chat route whose answers are kept in Redis while they are streamed, so that a page that is refreshed reads them again, as
// the documentation of resumable-stream has it.
import { serve } from '@hono/node-server';
import { convertToModelMessages, createUIMessageStream, createUIMessageStreamResponse, stepCountIs, streamText, UI_MESSAGE_STREAM_HEADERS } from 'ai';
import { Hono } from 'hono';
import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { createResumableStreamContext } from 'resumable-stream/generic';
import { model, tools } from './model.mjs';

const publisher = createClient({ url: process.env.REDIS_URL });
const subscriber = publisher.duplicate();
await Promise.all([publisher.connect(), subscriber.connect()]);
const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
const live = new Map(); // a promise of the id of each chat's latest answer, which is kept once Redis knows the answer

const app = new Hono();

app.post('/api/chat', async (c) => {
  const { id, messages } = await c.req.json();
  const stream = createUIMessageStream({
    generateId: randomUUID,
    execute: async ({ writer }) => {
      const result = streamText({ model, tools, messages: await convertToModelMessages(messages), stopWhen: stepCountIs(5), maxRetries: 0, onError() {} });
      writer.merge(result.toUIMessageStream());
    },
  });
  const consumeSseStream = ({ stream }) => {
    const streamId = randomUUID();
    live.set(id, context.createNewResumableStream(streamId, () => stream).then(() => streamId));
  };
  return createUIMessageStreamResponse({ stream, consumeSseStream });
});

app.get('/api/chat/:id/stream', async (c) => {
  const streamId = await live.get(c.req.param('id'));
  const stream = streamId && await context.resumeExistingStream(streamId);
  if (!stream) return c.body(null, 204);
  return new Response(stream.pipeThrough(new TextEncoderStream()), { headers: UI_MESSAGE_STREAM_HEADERS });
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
