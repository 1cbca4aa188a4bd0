import type { EventForm } from '../route.ts';
import { ChatChunk } from './chat-response.ts';
import { ChatChunks, chatStream } from './chunks.ts';
import { serializeCompletion } from './serialize-completion.ts';

const naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'chat-large', created: 1_769_851_800 };
const text = [
  'In January revenue rose by 12 percent to 4.2 million USD',
  ' at unchanged costs, and 42 customers were gained.',
];
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };
const end = { status: 'succeeded' as const, finishReason: 'stop', usage, latencyMs: 0 };

const messages = [
  { role: 'system', content: 'You summarize financial reports in one sentence.' },
  {
    role: 'user',
    content: 'Revenue rose by 12 percent to 4.2 million USD in January. Costs stayed at 3.1 million USD.',
  },
];

/** The functions that make the real ones make the examples, like the events. */
export const chatExample = {
  body: { model: naming.model, messages },
  response: { ...serializeCompletion(naming, { ...end, message: { content: text.join('') } }) },
};

const chunks = new ChatChunks(naming, true);

/** The events of a stream, with an example. */
export const chatEvents: EventForm = {
  event: ChatChunk,
  example: [...text.map((content) => chunks.delta({ content })), ...chunks.end(end)],
  isOptional: true,
  toStream: chatStream,
};
