// Chats, their turns, and who reads them.

import { randomUUID } from 'node:crypto';
import { Agent } from './agent.mjs';
import { Message } from './message.mjs';
import { refusal } from './refusal.mjs';

const mostChats = 4096;

export class Chats {
  #chats = new Map();

  find(name) {
    return this.#chats.get(name);
  }

  /** The chat of a user; undefined if there is none, or if it is another user's. */
  of(user, name) {
    const chat = this.find(name);
    return chat?.owner === user ? chat : undefined;
  }

  open(user, name) {
    if (!this.find(name)) this.#chats.set(name, new Chat(user, name));
    if (this.#chats.size > mostChats) this.#chats.delete(this.#chats.keys().next().value);
    const chat = this.of(user, name);
    if (!chat) throw refusal(404, 'there is no such chat');
    return chat;
  }
}

class Chat {
  turn = undefined;
  nextId = 1;
  #messages = [];
  #waiting = undefined;

  constructor(owner, name) {
    this.owner = owner;
    this.name = name;
  }

  history() {
    return this.#messages;
  }

  /** Begins a turn for a message of the user. It is kept before anything can fail. */
  ask(message, { script, startMetadata, finishMetadata }) {
    this.#checkFree();
    this.#messages.push(message);
    const agent = new Agent(this.name, { startMetadata, finishMetadata });
    return this.#begin(agent, new Message(randomUUID()), script, []);
  }

  /** Begins the turn that continues a message, with the client's answers to its calls. */
  answer({ parts }) {
    this.#checkFree();
    const { agent, message, calls, rest } = this.#waiting ?? {};
    const outcomes = calls?.map((call) => outcomeOf(call, parts.find(({ toolCallId }) => toolCallId === call.id)));
    if (!outcomes || outcomes.includes(undefined)) throw refusal(400, 'the calls that wait are not answered');
    // The history has the message so far, until the turn is over, and what the client brought; the stream has the rest.
    for (const { call, brought } of outcomes) if (brought) message.bring(call.id, brought);
    return this.#begin(agent, message.copy(), rest, outcomes);
  }

  #checkFree() {
    if (this.turn && !this.turn.over) throw refusal(409, 'another response of this chat is being streamed');
  }

  #begin(agent, message, script, outcomes) {
    const turn = new Turn(this, message);
    this.turn = turn;
    this.#waiting = undefined;
    agent.run(turn, script, outcomes).then((waiting) => {
      if (waiting) this.#waiting = { agent, message, ...waiting };
      this.#messages = [...this.#messages.filter(({ id }) => id !== message.id), message.content];
      turn.end();
    });
    return turn;
  }

  release(barrier) {
    this.turn?.barrier(barrier).open();
  }
}

/** What becomes of a call that waited; undefined if the part doesn't answer it. */
function outcomeOf(call, part) {
  const { state, approval, output, errorText } = part ?? {};
  if (call.client) {
    if (state === 'output-available') return { brought: { state, output }, call };
    if (state === 'output-error') return { brought: { state, errorText }, call };
  } else if (state === 'approval-responded' && approval?.id === call.approvalId && typeof approval.approved === 'boolean') {
    return { approved: approval.approved, call };
  }
  return undefined;
}

/** One response: its parts so far, for any reader. */
class Turn {
  over = false;
  #chat;
  #events = [];
  #readers = new Set();
  #barriers = new Map();

  constructor(chat, message) {
    this.#chat = chat;
    this.message = message;
  }

  get lastId() {
    return this.#events.at(-1)?.id ?? 0;
  }

  send(part) {
    const event = { id: this.#chat.nextId++, text: JSON.stringify(part) };
    this.#events.push(event);
    this.message.take(part);
    for (const response of this.#readers) response.write(written(event));
  }

  end() {
    this.over = true;
    for (const response of this.#readers) response.end('data: [DONE]\n\n');
    this.#readers.clear();
  }

  /** Sends the parts after an id to a reader, and then those to come. The turn goes on when the reader leaves. */
  read(response, after) {
    for (const event of this.#events) if (event.id > after) response.write(written(event));
    if (this.over) return response.end('data: [DONE]\n\n');
    this.#readers.add(response);
    return response.once('close', () => this.#readers.delete(response));
  }

  /** A barrier of a script, which stays open once it is. */
  barrier(name) {
    if (!this.#barriers.has(name)) {
      let open;
      this.#barriers.set(name, { passed: new Promise((resolve) => { open = resolve; }), open });
    }
    return this.#barriers.get(name);
  }
}

const written = ({ id, text }) => `id: ${id}\ndata: ${text}\n\n`;
