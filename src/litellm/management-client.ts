import { Agent, request } from 'undici';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { trimEnd } from '../domain/formats/trim-end.ts';
import { connectionCode } from '../upstream/connection-code.ts';

/**
 * A management request failed. `status`: that of the response, if it was not 200. Undefined: there was no complete response, so
 * the request may have been executed. The message has what the upstream answered, without keys.
 */
export class ManagementFailure extends Error {
  readonly status: number | undefined;

  constructor(path: string, status: number | undefined, answer: string, options?: ErrorOptions) {
    const outcome = status === undefined ? 'was not answered' : `was answered with ${status}`;
    super([`${path} ${outcome}`, answer].filter((part) => part !== '').join(': '), options);
    this.name = 'ManagementFailure';
    this.status = status;
  }
}

const maxAnswerCharacters = 300;

/** The message in LiteLLM's or FastAPI's form of an error, or else the text. */
function messageIn(text: string): string {
  try {
    const { error, detail } = JSON.parse(text);
    const message = error?.message ?? detail?.error ?? detail ?? error;
    return typeof message === 'string' ? message : JSON.stringify(message ?? '');
  } catch {
    return text;
  }
}

/** What an upstream answered, for the operator: its keys and the hashes of keys are left out. */
function shownAnswer(text: string, masterKey: string): string {
  const message = messageIn(text);
  const withoutMaster = masterKey === '' ? message : message.replaceAll(masterKey, '[key]');
  return withoutMaster
    .replaceAll(/\bsk-[\w.-]+|\b[a-f\d]{32,}\b/gi, '[key]')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxAnswerCharacters);
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
/** The status of an error counts, and its text only if it comes soon. */
const errorTimeoutMs = 1_000;
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
      throw new ManagementFailure(path, undefined, connectionCode(error) ?? (error as Error).name, { cause: error });
    };
    const response = await request(`${root}${path}${search}`, {
      method,
      headers: { authorization: `Bearer ${masterKey}`, ...(body !== null && { 'content-type': 'application/json' }) },
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch(failWith);
    if (response.statusCode !== 200) {
      const text = await withTimeout(response.body.text(), errorTimeoutMs).catch(() => '');
      response.body.destroy();
      throw new ManagementFailure(path, response.statusCode, shownAnswer(text, masterKey));
    }
    return response.body.json().catch(failWith);
  };

  return {
    post: (path, body) => send('POST', path, '', JSON.stringify(body)),
    get: (path, query) => send('GET', path, `?${new URLSearchParams(query)}`, null),
    close: () => agent.destroy(),
  };
}
