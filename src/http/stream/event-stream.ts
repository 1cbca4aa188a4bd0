import type { Naming } from './chunks.ts';

/** What a stream can be made from again when its request is repeated: the rest is in the call's record. */
export interface StreamRecord {
  naming: Naming;
  /** The job that ends with the stream: `[DONE]` waits for it. */
  closesJob?: string;
}

/** What a handler returns instead of an answer: the response is `text/event-stream` and each item is one event's data. */
export class EventStream {
  readonly record: StreamRecord;
  readonly events: AsyncIterable<string>;

  constructor(record: StreamRecord, events: AsyncIterable<string>) {
    this.record = record;
    this.events = events;
  }
}
