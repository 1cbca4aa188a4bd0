import type { AdmittedCall } from '../../calls/admit-call.ts';
import type { StreamOutput } from '../../calls/frame-reorder.ts';
import { type JobEndRule, jobEndRuleOf } from '../../calls/job-result.ts';
import { chunksOf, type Naming } from './chunks.ts';
import { openAiChunksOf } from './openai-chunks.ts';

/** What a stream can be made from again when its request is repeated: the rest is in the call's record. */
export interface StreamRecord {
  naming: Naming;
  /** The form of the events. Absent: that of the endpoints under `/api`. */
  openAi?: { includesUsage: boolean };
  /** The job that ends with the call, or may: `[DONE]` waits for that end. */
  ending?: JobEndRule;
}

/** What a handler returns instead of an answer: the response is `text/event-stream` and each item is one event's data. */
export class EventStream {
  /** Undefined: a repeated request is a new stream. */
  readonly record: StreamRecord | undefined;
  readonly events: AsyncIterable<string>;

  constructor(record: StreamRecord | undefined, events: AsyncIterable<string>) {
    this.record = record;
    this.events = events;
  }

  /** An event as it is written. */
  textOf(event: string): string {
    return `data: ${event}\n\n`;
  }

  /** What is written after the last event. */
  readonly lastText: string = 'data: [DONE]\n\n';
}

/** A stream whose items are whole events, with names and ids, and that nothing follows. */
export class NamedEventStream extends EventStream {
  constructor(events: AsyncIterable<string>) {
    super(undefined, events);
  }

  override textOf(event: string): string {
    return event;
  }

  override readonly lastText = '';
}

/** The ending that a record needs: that of a job which may end with the call. */
export const recordedEnding = (call: AdmittedCall): Pick<StreamRecord, 'ending'> => {
  const ending = jobEndRuleOf(call);
  return ending.isSingleCall || ending.endCondition ? { ending } : {};
};

/** The answer of a call as server-sent events, in the form that the record names. */
export const eventStreamOf = (record: StreamRecord, outputs: AsyncIterable<StreamOutput>): EventStream => {
  const { naming, openAi } = record;
  return new EventStream(
    record,
    openAi ? openAiChunksOf(naming, openAi.includesUsage, outputs) : chunksOf(naming, outputs),
  );
};
