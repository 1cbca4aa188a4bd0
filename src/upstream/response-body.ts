import type { Dispatcher } from 'undici';
import { decodeBody } from './decode-body.ts';
import { statusError, unreadable } from './upstream-error.ts';

type Body = Dispatcher.ResponseData['body'];

/** How much of an unneeded rest of a body is read, so that its connection can be used again. */
const drainLimits = { bytes: 65_536, timeoutMs: 1_000 };

export function drain(body: Body, read = 0): void {
  const limit = read + drainLimits.bytes;
  body.dump({ limit, signal: AbortSignal.timeout(drainLimits.timeoutMs) }).catch(() => undefined);
}

/** The whole body as text. Throws `UpstreamError` if it is larger than `limit`, in bytes. */
export async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit) throw unreadable();
    pieces.push(piece);
  }
  // Removes a byte order mark, which JSON.parse rejects.
  return new TextDecoder().decode(Buffer.concat(pieces, size));
}

/** Errors are short. Of a longer one, and of one that does not arrive in time, only the status counts. */
const maxErrorBytes = 65_536;

/** The error of a response without success. */
export async function readError({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Error> {
  const late = setTimeout(() => body.destroy(), drainLimits.timeoutMs);
  const text = await readWhole(decodeBody(body, headers['content-encoding']), maxErrorBytes).catch(() => undefined);
  clearTimeout(late);
  return statusError(statusCode, parsed(text));
}

/** The JSON of the text, or else the text. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}
