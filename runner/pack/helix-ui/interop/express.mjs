// A chat route on Express, as the documentation of the AI SDK has it. The promise that pipeUIMessageStreamToResponse leaves
// to itself is rejected when the model's connection breaks, which ends a process that doesn't say what becomes of such ones.
import { convertToModelMessages, stepCountIs, streamText } from 'ai';
import express from 'express';
import { model, tools } from './model.mjs';

process.on('unhandledRejection', () => {});

const app = express();
app.use(express.json());

app.post('/api/chat', async (request, response) => {
  const messages = await convertToModelMessages(request.body.messages);
  const result = streamText({ model, tools, messages, stopWhen: stepCountIs(5), maxRetries: 0, onError() {} });
  result.pipeUIMessageStreamToResponse(response);
});

app.listen(Number(process.env.PORT), '127.0.0.1');
