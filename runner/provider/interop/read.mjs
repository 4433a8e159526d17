// Reads the scripts of the provider at MODEL_URL by two public clients, whole and streamed, and prints what each understood:
// an object by the name of the script, of objects by the way of reading.
import OpenAI from 'openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const [url, key, ...names] = [process.env.MODEL_URL, process.env.MODEL_KEY, ...process.argv.slice(2)];
const openai = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 });
const compatible = createOpenAICompatible({ name: 'kit', baseURL: url, apiKey: key, includeUsage: true })('streamcert');

const nothing = () => ({ text: '', reasoning: '', refusal: '', calls: [], finish: '', usage: false, error: 0 });
// failed is the status of an error, or 1 where an answer that had begun failed.
const failed = (got, e) => Object.assign(got, { error: [e.status, e.statusCode].find((s) => s >= 400) ?? 1 });

async function openaiWhole(got, messages) {
  const answer = await openai.chat.completions.create({ model: 'streamcert', messages });
  const { message, finish_reason } = answer.choices[0];
  Object.assign(got, { text: message.content ?? '', reasoning: message.reasoning_content ?? '', refusal: message.refusal ?? '', finish: finish_reason, usage: answer.usage.total_tokens > 0 });
  for (const c of message.tool_calls ?? []) got.calls.push(`${c.function.name} ${c.function.arguments}`);
}

async function openaiStreamed(got, messages) {
  const stream = await openai.chat.completions.create({ model: 'streamcert', messages, stream: true, stream_options: { include_usage: true } });
  const calls = [];
  for await (const chunk of stream) {
    if (chunk.usage) got.usage = chunk.usage.total_tokens > 0;
    for (const { delta, finish_reason } of chunk.choices) {
      got.text += delta.content ?? '';
      got.reasoning += delta.reasoning_content ?? '';
      got.refusal += delta.refusal ?? '';
      for (const c of delta.tool_calls ?? []) {
        calls[c.index] ??= `${c.function.name} `;
        calls[c.index] += c.function.arguments;
      }
      got.finish = finish_reason ?? got.finish;
    }
  }
  got.calls = calls;
}

const prompt = (messages) => messages.map((m) => ({ role: m.role, content: [{ type: 'text', text: m.content }] }));

async function compatibleWhole(got, messages) {
  const answer = await compatible.doGenerate({ prompt: prompt(messages) });
  for (const part of answer.content) {
    if (part.type === 'text') got.text += part.text;
    if (part.type === 'reasoning') got.reasoning += part.text;
    if (part.type === 'tool-call') got.calls.push(`${part.toolName} ${part.input}`);
  }
  Object.assign(got, { finish: answer.finishReason.raw ?? answer.finishReason.unified, usage: answer.usage !== undefined });
}

async function compatibleStreamed(got, messages) {
  const { stream } = await compatible.doStream({ prompt: prompt(messages) });
  for await (const part of stream) {
    if (part.type === 'text-delta') got.text += part.delta;
    if (part.type === 'reasoning-delta') got.reasoning += part.delta;
    if (part.type === 'tool-call') got.calls.push(`${part.toolName} ${part.input}`);
    if (part.type === 'error') failed(got, part.error ?? {});
    if (part.type === 'finish') Object.assign(got, { finish: part.finishReason.raw ?? '', usage: part.usage.outputTokens?.total !== undefined });
  }
}

const ways = { openaiWhole, openaiStreamed, compatibleWhole, compatibleStreamed };
const models = [];
for await (const m of openai.models.list()) models.push(m.id);
const out = { models };
for (const name of names) {
  out[name] = {};
  for (const [way, read] of Object.entries(ways)) {
    const got = (out[name][way] = nothing());
    try {
      await read(got, [{ role: 'user', content: `hi ⟦sc:${name}⟧` }]);
    } catch (e) {
      failed(got, e);
    }
  }
}
console.log(JSON.stringify(out));
