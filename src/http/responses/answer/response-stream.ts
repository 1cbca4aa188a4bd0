import type { StreamOutput } from '../../../calls/frame-reorder.ts';
import type { SucceededResult } from '../../../domain/call-result.ts';
import { OutcomeUnknown } from '../../../errors.ts';
import { NamedEventStream, namedEvent, type StreamRecord } from '../../stream/event-stream.ts';
import { failureOf } from './failures.ts';
import { type ResponseEvent, ResponseEvents, type ResponseRecord } from './response-events.ts';

const inSeconds = (ms: number): number => Math.floor(ms / 1_000);

/**
 * When the answer was complete, in Unix seconds: the same for every reader, because it comes from the record. One that is made in the
 * background may have waited for long: `finishedAt` is its end in the record.
 */
export function completedAt(
  { head }: ResponseRecord,
  { latencyMs }: SucceededResult,
  finishedAt?: Date | null,
): number {
  if (head.background && finishedAt) return inSeconds(finishedAt.getTime());
  return head.created_at + inSeconds(latencyMs);
}

/** What a stream may have beside the answer. */
export interface StreamOptions {
  /** The number of the last event that its reader has. Default: none. */
  sent?: number;
  /** What the stream can be made from again for an Idempotency-Key. */
  stored?: StreamRecord;
}

function endOf(
  record: ResponseRecord,
  events: ResponseEvents,
  output: Exclude<StreamOutput, { type: 'delta' }>,
): ResponseEvent[] {
  if (output.type === 'broken') throw new OutcomeUnknown();
  if (output.type === 'end' && output.end.status === 'succeeded')
    return events.end(output.end, completedAt(record, output.end, output.finishedAt));
  return events.fail(failureOf(output), output.type === 'end' && 'usage' in output.end ? output.end.usage : undefined);
}

/** The last event follows when the job that ends with the call has ended. */
async function* toEvents(
  record: ResponseRecord,
  events: ResponseEvents,
  outputs: AsyncIterable<StreamOutput>,
): AsyncGenerator<ResponseEvent> {
  yield* events.begin();
  const last: ResponseEvent[] = [];
  for await (const output of outputs) {
    if (output.type === 'delta') yield* events.delta(output.delta);
    else {
      const end = endOf(record, events, output);
      last.push(...end.splice(-1));
      yield* end;
    }
  }
  // Its reader has lost the right to it, or this process shuts down.
  if (last.length === 0) throw new OutcomeUnknown();
  yield* last;
}

async function* textsAfter(events: AsyncIterable<ResponseEvent>, sent: number): AsyncGenerator<string> {
  for await (const event of events) if (event.sequence_number > sent) yield namedEvent(event.type, event);
}

/** The answer of a call as the events of a response. `spec 29.13` */
export class ResponseStream extends NamedEventStream {
  private readonly made: ResponseEvents;

  constructor(record: ResponseRecord, outputs: AsyncIterable<StreamOutput>, options: StreamOptions = {}) {
    const made = new ResponseEvents(record);
    super(textsAfter(toEvents(record, made, outputs), options.sent ?? -1), options.stored);
    this.made = made;
  }

  override keepaliveText(): string {
    return namedEvent('keepalive', { type: 'keepalive', sequence_number: this.made.lastNumber });
  }
}
