import type { EventForm } from '../route.ts';
import { MessageEvents } from './message-events.ts';
import { MessageStreamEvent } from './message-response.ts';
import { messageStream } from './message-stream.ts';
import { serializeMessage } from './serialize-message.ts';

const naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'chat-large', created: 1_769_851_800 };
const text = [
  'In January revenue rose by 12 percent to 4.2 million USD',
  ' at unchanged costs, and 42 customers were gained.',
];
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };
const end = { status: 'succeeded' as const, finishReason: 'stop', usage, latencyMs: 0 };

const body = {
  model: naming.model,
  max_tokens: 1_024,
  system: 'You summarize financial reports in one sentence.',
  messages: [
    {
      role: 'user',
      content: 'Revenue rose by 12 percent to 4.2 million USD in January. Costs stayed at 3.1 million USD.',
    },
  ],
};

const { max_tokens, ...counted } = body;

/** The functions that make the real ones make the examples, like the events. */
export const messageExample = {
  body,
  counted,
  response: { ...serializeMessage(naming, { ...end, message: { content: text.join('') } }) },
};

const events = new MessageEvents(naming);

/** The events of a stream, with an example. */
export const messageEvents: EventForm = {
  event: MessageStreamEvent,
  example: [
    ...events.begin(usage.promptTokens),
    ...text.flatMap((content) => events.delta({ content })),
    ...events.end(end),
    ...events.stop(),
  ].join(''),
  isOptional: true,
  toStream: messageStream as NonNullable<EventForm['toStream']>,
};
