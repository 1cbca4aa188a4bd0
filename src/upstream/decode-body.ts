import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { unreadable } from './upstream-error.ts';

type Bytes = AsyncIterable<Uint8Array>;

// Each decoder passes on what it has as soon as it has it, so that the pieces of a flushed stream arrive one by one. An encoding
// that does not end properly is accepted: whether the answer is complete is decided by its content.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants;
const gunzip = () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH });
const inflate = () => zlib.createInflate({ finishFlush: Z_SYNC_FLUSH });
const inflateRaw = () => zlib.createInflateRaw({ finishFlush: Z_SYNC_FLUSH });
const brotli = () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH });
const unzstd = () => zlib.createZstdDecompress({ finishFlush: ZSTD_e_flush });

const isGzip = (first: number, second: number): boolean => first === 0x1f && second === 0x8b;
const isZstd = (first: number, second: number): boolean => first === 0x28 && second === 0xb5;
const isZlib = (first: number, second: number): boolean => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/** The decoder for a body with this label that begins with these bytes; undefined if it is to be read as it is. */
function chooseDecoder(encoding: string, first: number, second: number): (() => Transform) | undefined {
  // No answer begins with these bytes, so they count more than the label, which may be missing or left over from another server.
  if (isGzip(first, second)) return gunzip;
  if (isZstd(first, second)) return unzstd;
  if (encoding === 'br') return brotli;
  if (encoding === 'deflate') return isZlib(first, second) ? inflate : inflateRaw;
  return undefined;
}

/** A header has room for 200,000 names, and each is a generator around the next. A body with more encodings stays unreadable. */
const maxEncodings = 8;

/**
 * The body without its content encodings, in pieces as they arrive. Some servers and caches compress although the request allows
 * `identity` alone. Throws `UpstreamError` if the body cannot be decoded.
 */
export function decodeBody(body: Bytes, contentEncoding: string | string[] | undefined): Bytes {
  const encodings = [contentEncoding ?? ''].flat().join(',').toLowerCase().split(',');
  // The last encoding was applied last.
  return encodings
    .slice(-maxEncodings)
    .reduceRight<Bytes>((encoded, encoding) => decode(encoded, encoding.trim()), body);
}

async function* decode(body: Bytes, encoding: string): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    const head = await readHead(pieces);
    const [first = 0, second = 0] = head;
    const decoder = chooseDecoder(encoding, first, second);
    const whole = chain(head, pieces);
    yield* decoder ? transformed(whole, decoder()) : whole;
  } finally {
    // A reader that leaves early closes the body too, whose rest is drained then.
    await pieces.return?.();
  }
}

/** Reads at least two bytes, unless the body is shorter. */
async function readHead(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const head: Uint8Array[] = [];
  for (let length = 0; length < 2; ) {
    const { done, value } = await pieces.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  return head.length === 1 ? head[0]! : Buffer.concat(head);
}

async function* chain(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* transformed(body: Bytes, decoder: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  let ofSource: unknown;
  source.once('error', (error) => {
    ofSource = error;
  });
  pipeline(source, decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch {
    throw ofSource ?? unreadable();
  }
}
