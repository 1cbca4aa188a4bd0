import type { Readable } from 'node:stream';

/** The message of an error fits into so many bytes. */
const excerptBytes = 1_024;

/**
 * The first bytes as text that PostgreSQL stores: a byte that is no UTF-8 becomes U+FFFD, and so does NUL. A character that is cut
 * off at the end is left out.
 */
export const toExcerpt = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(0, excerptBytes), { stream: true }).replaceAll('\0', '\ufffd');

/** Reads a body of any length to its end, or to one of the limits. Never rejects: what has arrived by then counts. */
export async function readExcerpt(
  body: Readable,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      if (length < excerptBytes) parts.push(part);
      length += part.length;
      if (length > maxBytes) break;
    }
  } catch {
    // The connection was lost, or the time is over.
  } finally {
    clearTimeout(timer);
  }
  return toExcerpt(Buffer.concat(parts));
}
