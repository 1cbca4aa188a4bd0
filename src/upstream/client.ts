import { Agent, type Dispatcher, request } from 'undici';
import { trimEnd } from '../domain/trim-end.ts';
import { brokeOff, statusError, timedOut, unreachable, unreadable } from './upstream-error.ts';

export interface UpstreamOptions {
  baseUrl: string;
  timeoutMs: number;
}

export interface UpstreamResponse {
  /** The cost in the upstream's header, not yet validated. */
  reportedCost: unknown;
  body: AsyncIterable<Uint8Array>;
}

export interface UpstreamClient {
  /**
   * Resolves with a successful response once its headers are there. Rejects with `UpstreamError`, or with the reason of the signal
   * when it was aborted. Does not follow redirects.
   */
  chat(body: string, key: string, signal: AbortSignal): Promise<UpstreamResponse>;
  /**
   * The parsed JSON of a GET, within 10 s. Rejects with an `UpstreamError` for a status other than 200, and with the original
   * error if the request or the parsing fails.
   */
  getJson(path: string, key: string): Promise<unknown>;
  close(): Promise<void>;
}

type Body = Dispatcher.ResponseData['body'];

/** How much of an unneeded rest of a body is read, so that its connection can be used again. */
const drainLimits = { bytes: 65_536, timeoutMs: 1_000 };
const getTimeoutMs = 10_000;
/** In bytes: of a body in memory, or of the text in a stream, whose framing may be many times as large. */
export const maxResponseSize = 64 * 1_048_576;

/** Some servers answer a POST with 201, the default of their framework. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const bearer = (key: string): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

export function createUpstreamClient({ baseUrl, timeoutMs }: UpstreamOptions): UpstreamClient {
  // `http://host:4000`, `http://host:4000/` and `http://host/v1` are all valid bases.
  const root = trimEnd(baseUrl, '/');
  // Servers close idle connections after five seconds or more, and a request on one that is being closed is lost.
  const agent = new Agent({
    connections: 2_048,
    pipelining: 1,
    connect: { timeout: Math.min(10_000, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4_000,
  });

  return {
    async chat(body, key, signal) {
      const response = await request(`${root}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...bearer(key) },
        body,
        dispatcher: agent,
        signal,
      }).catch((error: unknown) => {
        throw failure(error, signal, unreachable);
      });
      if (!isSuccess(response.statusCode)) {
        drain(response.body);
        throw statusError(response.statusCode);
      }
      return { reportedCost: response.headers['x-litellm-response-cost'], body: bytesOf(response.body, signal) };
    },
    async getJson(path, key) {
      const signal = AbortSignal.timeout(getTimeoutMs);
      const response = await request(`${root}${path}`, { headers: bearer(key), dispatcher: agent, signal });
      if (response.statusCode === 200) return JSON.parse(await readWhole(response.body));
      drain(response.body);
      throw statusError(response.statusCode);
    },
    close: () => agent.destroy(),
  };
}

const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** The error to throw: the reason of an aborted signal, a timeout, or what `otherwise` makes of the cause. */
function failure(error: unknown, signal: AbortSignal, otherwise: (cause: unknown) => unknown): unknown {
  if (signal.aborted) return signal.reason;
  const { code = '' } = error as { code?: string };
  if (timeoutCodes.has(code)) return timedOut();
  return otherwise(error);
}

/** The bytes of the body while they arrive. What the reader leaves unread is drained. */
async function* bytesOf(body: Body, signal: AbortSignal): AsyncGenerator<Uint8Array> {
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

function drain(body: Body, read = 0): void {
  const limit = read + drainLimits.bytes;
  body.dump({ limit, signal: AbortSignal.timeout(drainLimits.timeoutMs) }).catch(() => undefined);
}

/** The whole body as text. Throws `UpstreamError` if it is larger than `maxResponseSize`. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxResponseSize) throw unreadable();
    pieces.push(piece);
  }
  // Removes a byte order mark, which JSON.parse rejects.
  return new TextDecoder().decode(Buffer.concat(pieces, size));
}
