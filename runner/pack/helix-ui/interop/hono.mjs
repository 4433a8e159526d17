// A chat route on Hono, as the documentation of the AI SDK has it.
import { serve } from '@hono/node-server';
import { convertToModelMessages, stepCountIs, streamText } from 'ai';
import { Hono } from 'hono';
import { model, tools } from './model.mjs';

const app = new Hono();

app.post('/api/chat', async (c) => {
  const { messages } = await c.req.json();
  const result = streamText({ model, tools, messages: await convertToModelMessages(messages), stopWhen: stepCountIs(5), maxRetries: 0, onError() {} });
  return result.toUIMessageStreamResponse();
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
