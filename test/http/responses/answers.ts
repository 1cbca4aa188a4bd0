import type { Delta } from '../../../src/domain/chat-message.ts';
import {
  type ResponseEvent,
  ResponseEvents,
  type ResponseRecord,
} from '../../../src/http/responses/answer/response-events.ts';
import type { ResponseRequest } from '../../../src/http/responses/request/response-request.ts';
import { toHead } from '../../../src/http/responses/request/to-head.ts';
import type { Json } from '../../support/send-request.ts';

const callId = '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2';
export const hex = callId.replaceAll('-', '');

export const recordOf = (
  fields: Partial<ResponseRequest> = {},
  rest: Partial<ResponseRecord> = {},
): ResponseRecord => ({
  callId,
  head: toHead({ model: 'smart', input: 'hi', ...fields } as ResponseRequest, 1_769_851_800),
  tools: {},
  showsStates: true,
  ...rest,
});

const usage = { promptTokens: 5, completionTokens: 3, totalTokens: 8 };

/** The events of an answer in these pieces. */
export function eventsOf(deltas: readonly Delta[], record = recordOf(), finishReason = 'stop'): ResponseEvent[] {
  const events = new ResponseEvents(record);
  return [
    ...events.begin(),
    ...deltas.flatMap((delta) => events.delta(delta)),
    ...events.end({ status: 'succeeded', finishReason, usage, latencyMs: 1_000 }, 1_769_851_801),
  ];
}

export const typesOf = (events: readonly ResponseEvent[]): string[] =>
  events.map(({ type }) => type.replace(/^response\./, ''));

export const outputOf = (events: readonly ResponseEvent[]): Json[] => (events.at(-1)!.response as Json).output;

export const call = (index: number, id: string, name: string, json = ''): Delta => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: json } }],
});
export const more = (index: number, json: string): Delta => ({
  tool_calls: [{ index, function: { arguments: json } }],
});

/** What an exact client requires: numbers without gaps; items one after the other, whose events fit their ids and indexes. */
export function expectWellFormed(events: readonly ResponseEvent[]): void {
  let open: { index: number; id: string } | undefined;
  let items = 0;
  for (const [number, event] of events.entries()) {
    expect(event.sequence_number).toBe(number);
    const item = event.item as { id: string } | undefined;
    if (event.type === 'response.output_item.added') {
      expect(open).toBeUndefined();
      open = { index: items, id: item!.id };
      expect(event.output_index).toBe(items);
    } else if (event.type === 'response.output_item.done') {
      expect({ index: event.output_index, id: item!.id }).toEqual(open);
      open = undefined;
      items += 1;
    } else if (event.output_index !== undefined) expect({ index: event.output_index, id: event.item_id }).toEqual(open);
  }
  expect(open).toBeUndefined();
}
