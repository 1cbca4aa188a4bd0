import { Agent, type Dispatcher, request } from 'undici';
import { trimEnd } from '../domain/trim-end.ts';
import { brokeOff, statusError, timedOut, unreachable, unreadable } from './upstream-error.ts';

export interface UpstreamOptions {
  baseUrl: string;
  timeoutMs: number;
}

export interface UpstreamResponse {
  /** The upstream's own figure for the cost, as it sent it. */
  reportedCost: unknown;
  body: AsyncIterable<Uint8Array>;
}

export interface UpstreamClient {
  /** The answer to one request, or an `UpstreamError` before there is one. Redirects are not followed. */
  chat(body: string, key: string, signal: AbortSignal): Promise<UpstreamResponse>;
  /**
   * The parsed body of a GET, within 10 s. Rejects with an `UpstreamError` for a status other than 200, else with the reason
   * why it could not be read.
   */
  getJson(path: string, key: string): Promise<unknown>;
  close(): Promise<void>;
}

type Body = Dispatcher.ResponseData['body'];

/** What may follow the last bytes that are needed, so that the connection can be used again. */
const rest = { limit: 65_536, withinMs: 1_000 };
const listTimeoutMs = 10_000;

/** Some servers answer a POST with 201, as their framework does where nobody says otherwise. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const bearer = (key: string): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

export function createUpstreamClient({ baseUrl, timeoutMs }: UpstreamOptions): UpstreamClient {
  // `http://host:4000`, `http://host:4000/` and `http://host/v1` are all valid bases.
  const root = trimEnd(baseUrl, '/');
  // Idle connections are kept for four seconds: servers close theirs from five on, and a request on one that is being closed is lost.
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
      const answer = await request(`${root}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...bearer(key) },
        body,
        dispatcher: agent,
        signal,
      }).catch((error: unknown) => {
        throw failure(error, signal, unreachable);
      });
      if (!isSuccess(answer.statusCode)) {
        drain(answer.body);
        throw statusError(answer.statusCode);
      }
      return { reportedCost: answer.headers['x-litellm-response-cost'], body: bytesOf(answer.body, signal) };
    },
    async getJson(path, key) {
      const signal = AbortSignal.timeout(listTimeoutMs);
      const answer = await request(`${root}${path}`, { headers: bearer(key), dispatcher: agent, signal });
      if (answer.statusCode === 200) return JSON.parse(await readWhole(answer.body));
      drain(answer.body);
      throw statusError(answer.statusCode);
    },
    close: () => agent.destroy(),
  };
}

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function failure(error: unknown, signal: AbortSignal, otherwise: (cause: unknown) => unknown): unknown {
  if (signal.aborted) return signal.reason;
  const { code = '' } = error as { code?: string };
  if (timeouts.has(code)) return timedOut();
  return otherwise(error);
}

/** The body as it comes. What a reader leaves unread is drained. */
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
  const bounds = { limit: read + rest.limit, signal: AbortSignal.timeout(rest.withinMs) };
  body.dump(bounds).catch(() => undefined);
}

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
