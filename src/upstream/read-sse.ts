import { createParser } from 'eventsource-parser';
import { unreadable } from './upstream-error.ts';

/** The longest accepted event, in characters. A token takes a few hundred: a longer event is an error of the upstream. */
const maxEventLength = 32 * 1_048_576;

/**
 * Yields the `data` of each event of a server-sent event stream, wherever its bytes are split. An event that no blank line
 * completes is not yielded, as the standard requires.
 */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // The parser removes the byte order mark.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: ({ data }) => events.push(data),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw unreadable();
    },
  });
  let lineLength = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    parser.feed(text);
    // The parser skips comments and unknown fields without counting them, however long they are.
    lineLength = /[\r\n]/.test(text) ? 0 : lineLength + text.length;
    if (lineLength > maxEventLength) throw unreadable();
    yield* events.splice(0);
  }
}
