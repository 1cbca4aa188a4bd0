import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Release } from '../../concurrency/fair-semaphore.ts';
import { invalid, Refusal, refuse } from '../../errors.ts';
import type { Holder } from '../../holders/holder.ts';
import type { Caller } from '../../services/caller.ts';
import { isIdempotent } from '../idempotency/idempotency-key.ts';
import type { Deps } from '../ports.ts';
import type { RouteSpec } from '../route.ts';

/** `spec 1.5` */
export const bodyLimits = { standard: 1_048_576, call: 10_485_760 };
export const bodyLimitFor = ({ config }: Pick<Deps, 'config'>, { makesCall, body }: RouteSpec): number =>
  body?.form?.limit(config) ?? bodyLimits[makesCall ? 'call' : 'standard'];

const decoders = new Map<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

export const encodingOf = ({ headers }: Request): string =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase();

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The client may wait for `100 Continue` before it sends the body. HTTP/1.0 has no `Expect`: RFC 9110, 10.1.1. */
const expectsContinue = ({ headers, httpVersion }: Request): boolean =>
  headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';

/**
 * Whether the body is read. If a route accepts an Idempotency-Key, the body is a part of the request that the key identifies, even
 * if the route itself needs no body. Other bodies are only counted.
 */
export const readsBody = (spec: RouteSpec): boolean => Boolean(spec.body) || isIdempotent(spec);

export const isReadable = (encoding: string): boolean => encoding === 'identity' || decoders.has(encoding);

/** Smaller bodies are read in well under a millisecond. */
const smallBodyBytes = 4_096;
/** Smaller bodies with a credential do not count: a process has memory for thousands, and they shall not wait for what others hold. */
const uncountedBytes = 65_536;

/** Callers without a credential send small requests. */
const maxAnonymousUnpackedBytes = 16_384;

/** A body as it was sent. */
export interface ReceivedBody {
  bytes: Buffer;
  /** Nothing needs the body any more: it is dropped, and no longer counts against the bytes of its holder. */
  release: Release;
}

const noRelease = () => undefined;
const nothing = Buffer.alloc(0);

function releasable(bytes: Buffer, release: Release): ReceivedBody {
  return {
    bytes,
    release() {
      this.bytes = nothing;
      release();
    },
  };
}

/** How many bytes a body may have when it has arrived and is unpacked: it counts with them against those of its holder. */
function expectedBytes(request: Request, limit: number): number {
  const length = Number(request.headers['content-length'] ?? limit);
  return encodingOf(request) === 'identity' || length === 0 ? length : limit;
}

/** A request whose body is to be read. */
interface Receiving {
  deps: Pick<Deps, 'measures' | 'config'>;
  spec: RouteSpec;
  caller: Caller;
  holder: Holder;
  request: Request;
  response: Response;
  disconnected: AbortSignal;
}

/**
 * The bytes of the body; sends `100 Continue` if the client may wait for it. A body that is not small, or that arrives without a
 * credential, counts against the bytes of its holder until it is released. 413 over the limit. Undefined for a route that reads no body.
 */
export async function receiveBody({
  deps,
  spec,
  caller,
  holder,
  request,
  response,
  disconnected,
}: Receiving): Promise<ReceivedBody | undefined> {
  const limit = bodyLimitFor(deps, spec);
  if (!readsBody(spec)) return countBody(request, limit);
  if (!hasBody(request)) return releasable(nothing, noRelease);
  const size = expectedBytes(request, limit);
  const isUncounted = size <= (caller.kind === 'anonymous' && !request.complete ? 0 : uncountedBytes);
  const release = isUncounted
    ? noRelease
    : await deps.measures.bytes.acquire(holder, { weight: size, signal: disconnected }).catch(closeConnection);
  try {
    if (expectsContinue(request)) response.writeContinue();
    return releasable(await collect(request, Math.min(size, limit)), release);
  } catch (error) {
    release();
    throw asBodyError(error);
  }
}

/** Closes the connection: otherwise the unread rest of the body would hold it and its memory. */
function closeConnection(error: unknown): never {
  throw error instanceof Refusal ? error.with({ Connection: 'close' }) : error;
}

const asBodyError = (error: unknown): unknown =>
  error instanceof Refusal ? error : invalid(['body'], 'Body could not be read');

/** Whether it may take long to unpack and parse. Such bodies of one holder are read one after the other. */
export const isLarge = (request: Request, bytes: Buffer): boolean =>
  bytes.length > smallBodyBytes || (encodingOf(request) !== 'identity' && bytes.length > 0);

/** The bytes, unpacked. 413 over the limit. */
export function unpackBody(request: Request, limit: number, caller: Caller, bytes: Buffer): Buffer {
  try {
    return decode(bytes, encodingOf(request), caller.kind === 'anonymous' ? maxAnonymousUnpackedBytes : limit);
  } catch (error) {
    throw asBodyError(error);
  }
}

/** Unpacks a complete body in one step, with a limit: a few thousand bytes may unpack to ten million. */
function decode(bytes: Buffer, encoding: string, limit: number): Buffer {
  const decoder = decoders.get(encoding);
  if (!decoder || bytes.length === 0) return bytes;
  try {
    return decoder(bytes, { maxOutputLength: limit });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? refuse('body_too_large') : error;
  }
}

/**
 * 413 comes before 401 (`spec 1.2`): a body of undeclared length has to be counted before a missing credential is
 * reported. Its bytes are discarded.
 */
export async function countBody(request: Request, limit: number): Promise<undefined> {
  if (request.headers['transfer-encoding'] === undefined || expectsContinue(request)) return;
  await count(request, limit, () => undefined).catch((error: unknown) => {
    // The body broke off: the request is refused for the reason that was found first.
    if (error instanceof Refusal) throw error;
  });
}

/** Local networks and proxies need milliseconds for ten megabytes, an overloaded machine a second. */
const remainderTimeoutMs = 5_000;

/**
 * Reads, before an early answer, what the client still sends, and waits for its end if the connection ends with the answer. A
 * connection that is closed with unread bytes is reset, and the answer is lost. Behind a proxy with HTTP/1.0, which is the default
 * of nginx, a refused upload would be a 502.
 */
export async function receiveRemainder(request: Request, response: Response): Promise<void> {
  if (request.complete || !hasBody(request)) return;
  // Node.js loses what arrives in one packet with the end of such a message: the next request of Java's client, which sends
  // `Upgrade` each time.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  request.resume();
  if (response.shouldKeepAlive || expectsContinue(request)) return;
  await finished(request, { signal: AbortSignal.timeout(remainderTimeoutMs) }).catch(() => undefined);
}

/** A refused client that sent `Expect` may or may not send the body, so the connection cannot be used for another request. */
export const tooLarge = (request: Request): Refusal =>
  refuse('body_too_large').with(expectsContinue(request) ? { Connection: 'close' } : {});

/** With this factor the buffer is at most half larger than its content, and is copied about twenty times for ten megabytes. */
const growth = 1.5;

/** Collects the body in one growing buffer: one that arrives in pieces of one byte would otherwise be a million objects. */
async function collect(stream: Readable, limit: number): Promise<Buffer> {
  let room = Buffer.alloc(0);
  let size = 0;
  await count(stream, limit, (chunk) => {
    const needed = size + chunk.length;
    if (needed > room.length)
      room = Buffer.concat([room], Math.min(Math.max(needed, Math.ceil(growth * room.length)), limit));
    chunk.copy(room, size);
    size = needed;
  });
  return room.subarray(0, size);
}

async function count(stream: Readable, limit: number, receive: (chunk: Buffer) => void): Promise<void> {
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  let size = 0;
  const add = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) reject(refuse('body_too_large'));
    else receive(chunk);
  };
  // An iteration costs many times as much for each piece, and the client chooses the number of pieces.
  stream.on('data', add);
  try {
    await Promise.race([finished(stream, { writable: false }), exceeded]);
  } finally {
    stream.off('data', add);
  }
}
