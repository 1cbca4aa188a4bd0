import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, Response } from 'express';
import { invalid, Refusal, refuse } from '../errors.ts';
import { isIdempotent } from './idempotency/idempotency-key.ts';
import type { RouteSpec } from './route.ts';

/** `rulings.md` 1.5 */
export const bodyLimits = { standard: 1_048_576, call: 10_485_760 };
const limitOf = ({ makesCall }: RouteSpec): number => bodyLimits[makesCall ? 'call' : 'standard'];

const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
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

/**
 * The bytes of the body, decompressed; asks for them if the client waits to be asked. 413 over the limit. Undefined for a route
 * that takes no body.
 */
export async function readBytes(request: Request, response: Response, spec: RouteSpec): Promise<Buffer | undefined> {
  if (!takesBody(spec)) return measureBody(request, spec);
  if (!hasBody(request)) return Buffer.alloc(0);
  if (mayWait(request)) response.writeContinue();
  const createDecoder = decoders.get(encodingOf(request));
  const stream = createDecoder ? decoded(request, createDecoder()) : request;
  try {
    return await collect(stream, limitOf(spec));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalid(['body'], 'Body could not be read');
  } finally {
    if (stream !== request) stream.destroy();
  }
}

/**
 * 413 comes before 401 (`rulings.md` 1.2): a body of undeclared length has to be counted before a missing credential is
 * reported. None of it is kept.
 */
export async function measureBody(request: Request, spec: RouteSpec): Promise<undefined> {
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

function decoded(request: Request, decoder: ReturnType<typeof createGunzip>): Readable {
  request.once('error', (error) => decoder.destroy(error));
  decoder.once('close', () => request.unpipe(decoder));
  return request.pipe(decoder);
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const size = await count(stream, limit, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks, size);
}

async function count(stream: Readable, limit: number, keep: (chunk: Buffer) => void): Promise<number> {
  let size = 0;
  // The stream is not destroyed: destroying a request closes its connection, and the answer is lost.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw refuse('body_too_large');
    keep(chunk);
  }
  return size;
}
