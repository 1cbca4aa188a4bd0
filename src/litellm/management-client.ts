import { Agent, request } from 'undici';
import { trimEnd } from '../domain/formats/trim-end.ts';

/**
 * A management request failed. `status`: that of the response, if it was not 200. Undefined: there was no complete response, so
 * the request may have been executed.
 */
export class ManagementFailure extends Error {
  readonly status: number | undefined;

  constructor(path: string, status: number | undefined, options?: ErrorOptions) {
    super(`${path} ${status === undefined ? 'was not answered' : `was answered with ${status}`}`, options);
    this.name = 'ManagementFailure';
    this.status = status;
  }
}

export interface ManagementClient {
  /**
   * Resolves with the parsed body of a response with status 200, within 5 s; else rejects with `ManagementFailure`. `path` begins
   * with a slash.
   */
  post(path: string, body: Record<string, unknown>): Promise<unknown>;
  get(path: string, query: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

/** A person waits for the result, and some operations make two or three of these requests. */
const requestTimeoutMs = 5_000;
const maxResponseBytes = 4 * 1_048_576;

/** LiteLLM serves its management API at the root, also if the base URL ends in `/v1`. */
const rootOf = (baseUrl: string): string => trimEnd(baseUrl, '/').replace(/\/v1$/, '');

/** A client of LiteLLM's management API, with the proxy's master key. */
export function createManagementClient(baseUrl: string, masterKey: string): ManagementClient {
  const agent = new Agent({
    connections: 32,
    connect: { timeout: requestTimeoutMs },
    maxResponseSize: maxResponseBytes,
  });
  const root = rootOf(baseUrl);

  const send = async (method: 'GET' | 'POST', path: string, search: string, body: string | null): Promise<unknown> => {
    const failWith = (error: unknown): never => {
      throw new ManagementFailure(path, undefined, { cause: error });
    };
    const response = await request(`${root}${path}${search}`, {
      method,
      headers: { authorization: `Bearer ${masterKey}`, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch(failWith);
    if (response.statusCode !== 200) {
      response.body.dump().catch(() => undefined);
      throw new ManagementFailure(path, response.statusCode);
    }
    return response.body.json().catch(failWith);
  };

  return {
    post: (path, body) => send('POST', path, '', JSON.stringify(body)),
    get: (path, query) => send('GET', path, `?${new URLSearchParams(query)}`, null),
    close: () => agent.destroy(),
  };
}
