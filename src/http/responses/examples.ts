import type { StreamOutput } from '../../calls/frame-reorder.ts';
import type { EventForm } from '../route.ts';
import { namedEvent, type StreamRecord } from '../stream/event-stream.ts';
import { ResponseEvents, type ResponseRecord } from './answer/response-events.ts';
import { ResponseStream } from './answer/response-stream.ts';
import type { ResponseRequest } from './request/response-request.ts';
import { toHead } from './request/to-head.ts';
import { ResponseEventSchema } from './response.ts';

const body = {
  model: 'chat-large',
  instructions: 'You summarize financial reports in one sentence.',
  input: 'Revenue rose by 12 percent to 4.2 million USD in January. Costs stayed at 3.1 million USD.',
};
const text = [
  'In January revenue rose by 12 percent to 4.2 million USD',
  ' at unchanged costs, and 42 customers were gained.',
];
const created = 1_769_851_800;
const record: ResponseRecord = {
  callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2',
  head: toHead(body as ResponseRequest, created),
  tools: {},
  showsStates: false,
};
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };

/** The functions that make the real ones make the examples. */
const events = new ResponseEvents(record);
const example = [
  ...events.begin(),
  ...text.flatMap((content) => events.delta({ content })),
  ...events.end({ status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 }, created + 1),
];

export const responseExample = { body, response: events.response };

/** The events of a stream, with an example. */
export const responseEvents: EventForm = {
  event: ResponseEventSchema,
  example: example.map((event) => namedEvent(event.type, event)).join(''),
  isOptional: true,
  toStream: (stored: StreamRecord, outputs: AsyncIterable<StreamOutput>) =>
    new ResponseStream(
      { callId: stored.naming.callId, ...(stored.options as Omit<ResponseRecord, 'callId'>) },
      outputs,
      { stored },
    ),
};
