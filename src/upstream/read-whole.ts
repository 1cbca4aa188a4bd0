import { unreadable } from './upstream-error.ts';

/** Bytes kept in memory: a whole answer, or the text of a streamed one, whose framing may be many times as much. */
export const largestAnswer = 64 * 1_048_576;

/** All of a body as text. Throws `UpstreamError` when it is larger than any answer. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > largestAnswer) throw unreadable();
    pieces.push(piece);
  }
  // Without a byte order mark, which JSON.parse does not take.
  return new TextDecoder().decode(Buffer.concat(pieces, size));
}
