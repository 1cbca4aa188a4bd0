import { Readable } from 'node:stream';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { trimEnd } from '../domain/formats/trim-end.ts';
import { type TraceContext, traceHeaders } from '../domain/trace-context.ts';
import { decodeBody } from './decode-body.ts';
import type { SentOnce } from './request-body.ts';
import { drain, readError, readWhole } from './response-body.ts';
import { StaleConnections } from './stale-connections.ts';
import { brokeOff, notConnected, statusError, unreachable, unreadable } from './upstream-error.ts';

export interface UpstreamOptions {
  baseUrl: string;
  /** Limits the time to connect. The signal of a request limits the rest. */
  timeoutMs: number;
}

export interface UpstreamResponse {
  /** The cost in the upstream's header, not yet validated. */
  reportedCost: unknown;
  /** The body without its content encoding. */
  body: AsyncIterable<Uint8Array>;
}

/** For whom a request is made, and because of which request. */
export interface Sender {
  key: string;
  /** The `X-Request-Id` of the client's request. Null: it is not known. */
  requestId: string | null;
  /** The trace that the request belongs to. */
  traceContext?: TraceContext | undefined;
}

export interface UpstreamClient {
  /**
   * Resolves with a successful response once its headers are there. Rejects with `UpstreamError`, or with the reason of the signal
   * when it was aborted. Does not follow redirects.
   */
  chat(body: string | SentOnce, sender: Sender, signal: AbortSignal): Promise<UpstreamResponse>;
  /** The same for embeddings. */
  embeddings(body: string | SentOnce, sender: Sender, signal: AbortSignal): Promise<UpstreamResponse>;
  /**
   * The parsed JSON of a GET, within 10 s. Rejects with an `UpstreamError` for a status other than 200, and with the original
   * error if the request or the parsing fails.
   */
  getJson(path: string, key: string): Promise<unknown>;
  close(): Promise<void>;
}

type Body = Dispatcher.ResponseData['body'];

const getTimeoutMs = 10_000;
/** Proxies add headers of their own. 16 KiB, the default, is too little for some of them. */
const maxHeaderBytes = 1_048_576;
/** The bytes of a list of models with their prices. */
const maxJsonBytes = 64 * 1_048_576;
/** Servers close idle connections after five seconds or more, and a request on one that is being closed is lost. */
const keepAliveMs = 4_000;

/** Some servers answer a POST with 201, the default of their framework. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const bearer = (key: string): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

export function createUpstreamClient({ baseUrl, timeoutMs }: UpstreamOptions): UpstreamClient {
  // `http://host:4000`, `http://host:4000/` and `http://host/v1` are all valid bases.
  const root = trimEnd(baseUrl, '/');
  const options = {
    connections: 2_048,
    connect: { timeout: Math.min(10_000, timeoutMs) },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  };
  const agent = new Agent({
    ...options,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    // Whatever time the server offers: between it and this process a connection may be dropped without a sign.
    keepAliveMaxTimeout: keepAliveMs,
  });
  /** A new connection for each request. */
  const newConnections = new Agent({ ...options, pipelining: 0 });
  const staleConnections = new StaleConnections();

  const post =
    (path: string): UpstreamClient['chat'] =>
    async (content, { key, requestId, traceContext }, signal) => {
      const isShort = typeof content === 'string';
      const body = isShort ? Buffer.from(content) : Readable.from(content, { objectMode: false });
      const length = isShort ? undefined : { 'content-length': String(content.length) };
      const headers = {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        ...length,
        ...bearer(key),
        ...(requestId && { 'x-request-id': requestId }),
        ...(traceContext && traceHeaders(traceContext)),
      };
      const send = (dispatcher: Agent) =>
        request(`${root}${path}`, {
          method: 'POST',
          headers,
          body,
          dispatcher,
          signal,
        });
      // A body that is sent once needs a connection that the other side has not given up.
      const response = await send(isShort ? agent : newConnections)
        .catch((error: unknown) => {
          if (signal.aborted || !staleConnections.hasRejected(body, error)) throw error;
          return send(newConnections);
        })
        .catch((error: unknown) => {
          throw failure(error, signal, unreachable);
        });
      response.body.once('close', () => staleConnections.release(body));
      if (!isSuccess(response.statusCode)) throw await readError(response);
      return {
        reportedCost: response.headers['x-litellm-response-cost'],
        body: decodeBody(readBytes(response.body, signal), response.headers['content-encoding']),
      };
    };

  return {
    chat: post('/chat/completions'),
    embeddings: post('/embeddings'),
    async getJson(path, key) {
      const signal = AbortSignal.timeout(getTimeoutMs);
      const response = await request(`${root}${path}`, { headers: bearer(key), dispatcher: agent, signal });
      if (response.statusCode === 200) {
        return JSON.parse(
          await readWhole(decodeBody(response.body, response.headers['content-encoding']), maxJsonBytes),
        );
      }
      drain(response.body);
      throw statusError(response.statusCode);
    },
    async close() {
      staleConnections.close();
      await Promise.all([agent.destroy(), newConnections.destroy()]);
    },
  };
}

/** The upstream has answered, but not in HTTP, or with more headers than are accepted. */
const isUnreadable = (error: unknown): boolean =>
  [errors.HTTPParserError, errors.HeadersOverflowError, errors.ResponseContentLengthMismatchError].some(
    (kind) => error instanceof kind,
  );

/** The error to throw: the reason of an aborted signal, a timeout, an unreadable answer, or what `otherwise` makes of the cause. */
function failure(error: unknown, signal: AbortSignal, otherwise: (cause: unknown) => unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof errors.ConnectTimeoutError) return notConnected({ connection: error.code });
  return isUnreadable(error) ? unreadable() : otherwise(error);
}

/** The bytes of the body while they arrive. What the reader leaves unread is drained. */
async function* readBytes(body: Body, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let read = 0;
  let isWhole = false;
  try {
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      read += bytes.length;
      yield bytes;
    }
    isWhole = true;
  } catch (error) {
    throw failure(error, signal, brokeOff);
  } finally {
    if (!isWhole) drain(body, read);
  }
}
