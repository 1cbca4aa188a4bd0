import type { Naming } from '../../relay/chunks.ts';

/** What a handler returns instead of an answer: the response is `text/event-stream` and each item is one event's data. */
export class EventStream {
  readonly events: AsyncIterable<string>;
  /** What a repeated request needs to stream the same from the record. */
  readonly naming: Naming;

  constructor(naming: Naming, events: AsyncIterable<string>) {
    this.naming = naming;
    this.events = events;
  }
}
