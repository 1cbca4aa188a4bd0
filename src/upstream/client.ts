import { Agent, request } from 'undici';
import { brokeOff, statusError, timedOut, unreachable, unreadable } from './upstream-error.ts';

export interface UpstreamOptions {
  baseUrl: string;
  timeoutMs: number;
}

export interface UpstreamAnswer {
  /** The upstream's own figure for the cost, as it wrote it. */
  reportedCost: unknown;
  body: AsyncIterable<Uint8Array>;
}

export interface UpstreamClient {
  /** The answer to one request, or an `UpstreamError` before there is one. Redirects are not followed. */
  chat(body: string, key: string, signal: AbortSignal): Promise<UpstreamAnswer>;
  getJson(path: string, key: string): Promise<unknown>;
  close(): Promise<void>;
}

const largestAnswer = 64 * 1_048_576;

/** `http://host:4000`, `http://host:4000/` and `http://host/v1` all name the same kind of place. */
const under = (baseUrl: string, path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

export function createUpstreamClient({ baseUrl, timeoutMs }: UpstreamOptions): UpstreamClient {
  const agent = new Agent({
    connections: 1_024,
    pipelining: 1,
    connect: { timeout: Math.min(10_000, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 30_000,
  });

  return {
    async chat(body, key, signal) {
      const answer = await request(under(baseUrl, '/chat/completions'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body,
        dispatcher: agent,
        signal,
      }).catch((error: unknown) => {
        throw failure(error, signal);
      });
      if (answer.statusCode !== 200) {
        await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
        throw statusError(answer.statusCode);
      }
      return { reportedCost: answer.headers['x-litellm-response-cost'], body: guarded(answer.body, signal) };
    },
    async getJson(path, key) {
      const answer = await request(under(baseUrl, path), {
        headers: key ? { authorization: `Bearer ${key}` } : {},
        dispatcher: agent,
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        throw statusError(answer.statusCode);
      }
      return answer.body.json();
    },
    close: () => agent.destroy(),
  };
}

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

function failure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return timeouts.has((error as { code?: string }).code ?? '') ? timedOut() : unreachable(error);
}

async function* guarded(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const bytes of body) {
      size += bytes.length;
      if (size > largestAnswer) break;
      yield bytes;
    }
  } catch (error) {
    const told = failure(error, signal);
    throw told instanceof Error && told.message === timedOut().message ? told : signal.aborted ? told : brokeOff(error);
  }
  if (size > largestAnswer) throw unreadable();
}
