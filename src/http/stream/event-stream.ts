/** What a handler returns instead of an answer: the response is `text/event-stream` and each item is one event's data. */
export class EventStream {
  readonly events: AsyncIterable<string>;
  /** The call whose record can be streamed again for a repeated request. */
  readonly callId: string;

  constructor(callId: string, events: AsyncIterable<string>) {
    this.callId = callId;
    this.events = events;
  }
}
