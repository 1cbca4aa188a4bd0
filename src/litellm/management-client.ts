import { Agent, request } from 'undici';
import { trimEnd } from '../domain/trim-end.ts';

/**
 * Management answered with a status other than 200 (`status`), or not at all (`status` undefined: the request may have been
 * carried out).
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
  /** `path` begins with a slash. The parsed body of a 200, within 5 s; anything else rejects with `ManagementFailure`. */
  post(path: string, body: Record<string, unknown>): Promise<unknown>;
  get(path: string, query: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

/** A person waits for the answer, and some operations make two or three of these requests. */
const requestTimeoutMs = 5_000;
const largestAnswer = 4 * 1_048_576;

/** LiteLLM's management is at its root, also where calls go to `/v1`. */
const rootOf = (baseUrl: string): string => trimEnd(baseUrl, '/').replace(/\/v1$/, '');

/** Management requests of a LiteLLM proxy, with its master key. Rejects with `ManagementFailure`; never hangs. */
export function createManagementClient(baseUrl: string, masterKey: string): ManagementClient {
  const agent = new Agent({ connections: 32, connect: { timeout: requestTimeoutMs }, maxResponseSize: largestAnswer });
  const root = rootOf(baseUrl);

  const ask = (method: 'GET' | 'POST', target: string, body: string | null) =>
    request(`${root}${target}`, {
      method,
      headers: { authorization: `Bearer ${masterKey}`, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(requestTimeoutMs),
    });

  const send = async (method: 'GET' | 'POST', path: string, search: string, body: string | null): Promise<unknown> => {
    const { statusCode, body: said } = await ask(method, `${path}${search}`, body).catch((error: unknown) => {
      throw new ManagementFailure(path, undefined, { cause: error });
    });
    if (statusCode !== 200) {
      said.dump().catch(() => undefined);
      throw new ManagementFailure(path, statusCode);
    }
    return said.json().catch((error: unknown) => {
      throw new ManagementFailure(path, undefined, { cause: error });
    });
  };

  return {
    post: (path, body) => send('POST', path, '', JSON.stringify(body)),
    get: (path, query) => send('GET', path, `?${new URLSearchParams(query)}`, null),
    close: () => agent.destroy(),
  };
}
