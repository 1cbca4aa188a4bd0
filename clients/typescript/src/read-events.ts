import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIConnectionError } from './errors.ts';
import type { Opened } from './transport.ts';

/** The gateway sends a comment after every 15 s without an event: a connection that is silent for so long is dead. */
const maxSilenceMs = 60_000;

/** The whole events of an answer. A part of an event, where the connection breaks off, is none. Ends the attempt. */
export async function* readEvents({ response, attempt }: Opened): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  try {
    if (!response.body) throw new APIConnectionError('The answer has no body');
    const reader = response.body.getReader();
    for (;;) {
      attempt.limit(maxSilenceMs);
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw attempt.failureOf(error);
      });
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    attempt.end();
  }
}
