import { z } from 'zod';
import type { StreamOutput } from '../../../src/calls/frame-reorder.ts';
import { OutcomeUnknown } from '../../../src/errors.ts';
import type { EventForm } from '../../../src/http/route.ts';
import { NamedEventStream, namedEvent, type StreamRecord } from '../../../src/http/stream/event-stream.ts';
import { refusalOfCall } from '../../../src/services/calls/call-refusal.ts';
import { failureOf } from './surface.ts';

async function* textEvents({ naming }: StreamRecord, outputs: AsyncIterable<StreamOutput>): AsyncGenerator<string> {
  yield namedEvent('begin', { call: naming.callId, model: naming.model });
  for await (const output of outputs) {
    if (output.type === 'delta') yield namedEvent('text', { text: output.delta.content ?? '' });
    if (output.type === 'broken') throw new OutcomeUnknown();
    if (output.type === 'lost') yield namedEvent('failure', { failure: 'lost' });
    if (output.type !== 'end') continue;
    if (output.end.status === 'succeeded') yield namedEvent('end', { tokens: output.end.usage.totalTokens });
    else {
      const { code, message } = refusalOfCall(output.end);
      yield namedEvent('failure', { failure: failureOf({ code, detail: message }) });
    }
  }
}

export const textStream = (record: StreamRecord, outputs: AsyncIterable<StreamOutput>): NamedEventStream =>
  new NamedEventStream(textEvents(record, outputs), record);

/** Events with names, and no `[DONE]`. */
export const textForm: EventForm = {
  event: z.object({ text: z.string() }),
  example: namedEvent('text', { text: 'Rivers' }),
  isOptional: true,
  toStream: textStream,
};
