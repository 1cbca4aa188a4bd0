import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { unreadable } from '../upstream-error.ts';
import { maxEventCharacters } from './bounds.ts';

export interface SseEvent {
  /** The field `event`; empty if it is absent. */
  type: string;
  data: string;
  /** The stream ended within the event: no blank line completes it, and its last line may be a part of one. */
  isCut: boolean;
}

/**
 * Yields the events of a server-sent event stream, wherever its text is split. The standard drops an event that no blank line
 * completes; here it is the last one, because some servers omit the line, and the event may contain the usage.
 */
export async function* readSse(texts: AsyncIterable<string>): AsyncGenerator<SseEvent> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: (event) => events.push(event),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw unreadable();
    },
  });
  const parsed = (isCut: boolean) => events.splice(0).map(({ event = '', data }) => ({ type: event, data, isCut }));
  // The parser skips comments and unknown fields without counting them, however long they are.
  let withoutEvent = 0;
  for await (const text of texts) {
    parser.feed(text);
    withoutEvent = events.length > 0 ? 0 : withoutEvent + text.length;
    if (withoutEvent > maxEventCharacters) throw unreadable();
    yield* parsed(false);
  }
  parser.feed('\n\n');
  yield* parsed(true);
}
