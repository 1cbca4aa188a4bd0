import { unreadable } from './upstream-error.ts';

/** Longest event kept, in characters: a longer one means that the upstream has gone wrong. A token is a few hundred. */
const longestEvent = 32 * 1_048_576;

/**
 * The `data` of the events of a server-sent event stream, however its bytes are cut. As the standard says: an event's
 * data lines are joined, comments and other fields are passed over, and an event that its blank line does not end is none.
 */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = new EventReader();
  for await (const bytes of body) yield* reader.read(bytes);
}

class EventReader {
  private readonly decoder = new TextDecoder();
  /** The pieces of an unfinished line: joined once, so that a long line costs no more than its length. */
  private line: string[] = [];
  private data: string[] = [];
  private size = 0;
  private afterReturn = false;

  /** The events that these bytes complete. */
  read(bytes: Uint8Array): string[] {
    const events: string[] = [];
    for (const [index, piece] of this.pieces(bytes).entries()) {
      if (index > 0) this.endLine(events);
      this.line.push(piece);
      this.size += piece.length;
      if (this.size > longestEvent) throw unreadable();
    }
    return events;
  }

  /** Splits at the ends of lines: CRLF, which may be cut in two, LF or CR. */
  private pieces(bytes: Uint8Array): string[] {
    const text = this.decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    const pieces = (this.afterReturn && text[0] === '\n' ? text.slice(1) : text).split(/\r\n|\n|\r/);
    this.afterReturn = text.endsWith('\r');
    return pieces;
  }

  private endLine(events: string[]): void {
    const line = this.line.join('');
    this.line = [];
    if (line.startsWith('data:')) this.data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '') return;
    if (this.data.length > 0) events.push(this.data.join('\n'));
    this.data = [];
    this.size = 0;
  }
}
