// What the client of the AI SDK posts for calls that wait. Reads a JSON array from its input, whose items have the api, the chat,
// the script of the agent and an answer for each call; writes what was posted and streamed, and the messages at the end.
import { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, lastAssistantMessageIsCompleteWithToolCalls } from 'ai';

class State {
  status = 'ready';
  messages = [];
  snapshot = structuredClone;
  pushMessage = (message) => { this.messages = [...this.messages, message]; };
  popMessage = () => { this.messages = this.messages.slice(0, -1); };
  replaceMessage = (at, message) => { this.messages = this.messages.with(at, structuredClone(message)); };
}

class Chat extends AbstractChat {
  constructor(options) { super({ ...options, state: new State() }); }
}

async function answered({ api, chat: id, script, answers }) {
  const posted = [], streamed = [];
  const transport = new DefaultChatTransport({
    api: `${api}/${id}`,
    fetch: async (url, init) => {
      posted.push(JSON.parse(init.body));
      const response = await fetch(url, init);
      streamed.push(await response.text());
      return new Response(streamed.at(-1), { status: response.status, headers: response.headers });
    },
  });
  const complete = (of) => lastAssistantMessageIsCompleteWithApprovalResponses(of) || lastAssistantMessageIsCompleteWithToolCalls(of);
  let over;
  const twice = new Promise((resolve) => { over = resolve; });
  const chat = new Chat({ id, transport, sendAutomaticallyWhen: complete, onFinish: () => posted.length === 2 && over(), onError: over });
  await chat.sendMessage({ text: 'Plan the trip' }, { body: { conformance: { script } } });
  const calls = chat.messages.at(-1).parts.filter(({ toolCallId }) => toolCallId);
  for (const [n, { approved, output }] of answers.entries()) {
    const { approval, toolCallId, type } = calls[n];
    if (output === undefined) await chat.addToolApprovalResponse({ id: approval.id, approved });
    else await chat.addToolOutput({ tool: type.slice('tool-'.length), toolCallId, output });
  }
  await twice;
  return { posted, streamed, messages: chat.messages, error: chat.error?.message };
}

let input = '';
for await (const piece of process.stdin) input += piece;
console.log(JSON.stringify(await Promise.all(JSON.parse(input).map(answered))));
