import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Release } from '../../concurrency/fair-semaphore.ts';
import { invalid, Refusal, refuse } from '../../errors.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { isIdempotent } from '../idempotency/idempotency-key.ts';
import { holderOf } from '../limits/quotas.ts';
import type { Deps } from '../ports.ts';
import type { RouteSpec } from '../route.ts';
import { type ReadRequest, readRequest } from '../validation/read-request.ts';

/** `spec 1.5` */
export const bodyLimits = { standard: 1_048_576, call: 10_485_760 };
const limitOf = ({ makesCall }: RouteSpec): number => bodyLimits[makesCall ? 'call' : 'standard'];

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

const encodingOf = ({ headers }: Request): string => (headers['content-encoding'] ?? 'identity').trim().toLowerCase();

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The client may wait to be asked for the body. HTTP/1.0 knows no `Expect`: RFC 9110, 10.1.1. */
const mayWait = ({ headers, httpVersion }: Request): boolean =>
  headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';

/**
 * Whether the body is read. If a route takes an Idempotency-Key, the body is part of what the key names, even if the route
 * needs none. Other bodies are only counted.
 */
export const takesBody = (spec: RouteSpec): boolean => Boolean(spec.body) || isIdempotent(spec);

/**
 * Checks the headers of the body before any of it is awaited: 413 over the limit, 415 for an encoding that we cannot decode. A
 * body that is too large is answered at once; Node reads the rest without keeping it.
 */
export function checkBodyHeaders(request: Request, spec: RouteSpec): void {
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > limitOf(spec)) throw tooLarge(request);
  if (!takesBody(spec)) return;
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw refuse('body_not_readable', 'Transfer-Encoding');
  if (!decoders.has(encodingOf(request)) && encodingOf(request) !== 'identity')
    throw refuse('body_not_readable', 'Content-Encoding');
}

/** Up to here a body is parsed in well under a millisecond, and a quota would cost more than it saves. */
const small = 65_536;

/** A client without a credential has nothing to send that is worth compressing. */
const longestUnpacked = 16_384;

/** A body as it was sent. `release` gives back what it holds of the quota, once it was parsed. */
export interface ReceivedBody {
  bytes: Buffer;
  release: Release;
}

const nothing = () => undefined;

/**
 * The bytes of the body; asks for them if the client waits to be asked. A body that is not here yet takes of the quota of its
 * holder with what it may grow to. 413 over the limit. Undefined for a route that takes no body.
 */
async function receiveBody(
  { quotas }: Pick<Deps, 'quotas'>,
  spec: RouteSpec,
  { caller, holder, request, response, gone }: Sender,
): Promise<ReceivedBody | undefined> {
  if (!takesBody(spec)) return measureBody(request, spec);
  if (!hasBody(request)) return { bytes: Buffer.alloc(0), release: nothing };
  const limit = limitOf(spec);
  const length = Number(request.headers['content-length'] ?? limit);
  const quota = caller.kind === 'anonymous' ? quotas.anonymousBodies : quotas.bodies;
  const isHere = request.complete && length <= small;
  const release = isHere ? nothing : await quota.acquire(holder, { weight: length, signal: gone }).catch(closing);
  try {
    if (mayWait(request)) response.writeContinue();
    return { bytes: await collect(request, Math.min(length, limit)), release };
  } catch (error) {
    release();
    throw readable(error);
  }
}

/** The rest of a body that nobody reads would keep its connection, and that its memory. */
function closing(error: unknown): never {
  throw error instanceof Refusal ? error.with({ Connection: 'close' }) : error;
}

/** Who sends a body, and where it comes from. */
export interface Sender {
  caller: Caller;
  holder: string;
  request: Request;
  response: Response;
  gone: AbortSignal;
}

const readable = (error: unknown): unknown =>
  error instanceof Refusal ? error : invalid(['body'], 'Body could not be read');

/** Whether it takes long to unpack and parse: then large bodies of one holder take turns. */
const isLarge = (request: Request, bytes: Buffer): boolean =>
  bytes.length > small || (encodingOf(request) !== 'identity' && bytes.length > 0);

/** The bytes, unpacked. 413 over the limit. */
function unpackBody(request: Request, spec: RouteSpec, caller: Caller, bytes: Buffer): Buffer {
  const limit = limitOf(spec);
  try {
    return decode(bytes, encodingOf(request), caller.kind === 'anonymous' ? longestUnpacked : limit);
  } catch (error) {
    throw readable(error);
  }
}

/** At one go, and only once all of it is here: a few thousand bytes may hold ten million. */
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
 * reported. None of it is kept.
 */
async function measureBody(request: Request, spec: RouteSpec): Promise<undefined> {
  if (request.headers['transfer-encoding'] === undefined || mayWait(request)) return;
  await count(request, limitOf(spec), () => undefined).catch((error: unknown) => {
    // The body broke off: the refusal that was on its way is the answer.
    if (error instanceof Refusal) throw error;
  });
}

/** Local networks and proxies need milliseconds for ten megabytes, a machine that is overloaded a second. */
const restWithinMs = 5_000;

/**
 * Before an early answer: lets what the client still sends come in, and waits for it where the connection ends with the answer. A
 * connection that is closed with unread bytes is reset, and the answer is lost; behind a proxy that speaks HTTP/1.0, as nginx does
 * by default, a refused upload would be a 502.
 */
export async function receiveRest(request: Request, response: Response): Promise<void> {
  if (request.complete || !hasBody(request)) return;
  // Node loses what comes in one piece with the end of such a message: the next request of Java's client, which asks so each time.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  request.resume();
  if (response.shouldKeepAlive || mayWait(request)) return;
  await finished(request, { signal: AbortSignal.timeout(restWithinMs) }).catch(() => undefined);
}

/** A client that sent `Expect` and is refused may send the body or not: only a new connection is clear of it. */
const tooLarge = (request: Request): Refusal =>
  refuse('body_too_large').with(mayWait(request) ? { Connection: 'close' } : {});

/** A buffer that grows by half takes at most half more than came, and is copied some twenty times for ten megabytes. */
const growth = 1.5;

/** In one growing buffer: a body that comes in pieces of one byte would else be a million objects. */
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

async function count(stream: Readable, limit: number, keep: (chunk: Buffer) => void): Promise<void> {
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) reject(refuse('body_too_large'));
    else keep(chunk);
  };
  // Not by iterating: that takes many times as long for each piece, and the client chooses how many there are.
  stream.on('data', take);
  try {
    await Promise.race([finished(stream, { writable: false }), exceeded]);
  } finally {
    stream.off('data', take);
  }
}

/** A request whose headers are here. */
export interface Arriving {
  request: Request;
  response: Response;
  /** The client's address. */
  ip: string;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
}

/** Receives one request. Its body is read once, also if the request is begun again for another caller. */
export interface Receiver {
  /** What the caller asks for, checked in the order that the interface promises, under the quotas of its sender. */
  receive(caller: Caller): Promise<ReadRequest>;
  /** For a request that is refused: counts a body that nobody has read, and throws 413 where it is too large. */
  measureUnread(): Promise<void>;
}

export function createReceiver(deps: Deps, spec: RouteSpec, arriving: Arriving): Receiver {
  const { request, response, ip, gone } = arriving;
  let body: Promise<ReceivedBody | undefined> | undefined;

  /** Large bodies of one sender are unpacked and checked one after the other. */
  async function read({ caller, holder }: Sender, received: ReceivedBody | undefined): Promise<ReadRequest> {
    const readNow = () => {
      const unpacked = received && unpackBody(request, spec, caller, received.bytes);
      return readRequest(deps, spec, caller, { ...arriving, body: unpacked });
    };
    if (!received || !isLarge(request, received.bytes)) return readNow();
    return deps.quotas.parsing.run(holder, async () => readNow(), { signal: gone });
  }

  /** Rights may have ended while the body was arriving. A key from the cache is verified by the call's own statement. */
  const authorizeAgain = async (caller: Caller): Promise<Caller> =>
    caller.kind === 'anonymous' || (caller.kind === 'team' && !caller.isVerified)
      ? caller
      : authenticate(deps, request, spec);

  return {
    async receive(caller) {
      const wasHere = request.complete || !hasBody(request);
      const sender = { caller, holder: holderOf(caller, ip), request, response, gone };
      // Only now: a request without a credential must not make the process hold ten megabytes.
      body ??= receiveBody(deps, spec, sender);
      const received = await body;
      try {
        return await read({ ...sender, caller: wasHere ? caller : await authorizeAgain(caller) }, received);
      } finally {
        received?.release();
      }
    },
    async measureUnread() {
      if (!body) await measureBody(request, spec);
    },
  };
}
