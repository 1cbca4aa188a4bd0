import { Attempt, wait } from './attempt.ts';
import { APIConnectionError, type APIError, errorOf, JobGatewayError } from './errors.ts';
import { type Answer, environment, type Fetch, type Signal } from './globals.ts';
import { repetitionOf } from './repetition.ts';

/** Settings of one request; each goes before that of the client. */
export interface RequestOptions {
  /** Aborts the request with the reason of the signal. What the gateway has begun goes on there. */
  signal?: Signal | undefined;
  /** Milliseconds that each attempt may take. */
  timeout?: number | undefined;
  /** How often the request is repeated at most. */
  maxRetries?: number | undefined;
  /** Of a write: a text of your own that names the operation, so that another process can repeat it. Otherwise a new UUID. */
  idempotencyKey?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface ConnectionOptions {
  /** The address of the gateway, without `/api`. Default: the environment variable `JOB_GATEWAY_BASE_URL`. */
  baseUrl?: string | undefined;
  /** How often a request is repeated at most: 2. */
  maxRetries?: number | undefined;
  /** Milliseconds that each attempt may take. Default: one minute, of a call one hour. */
  timeout?: number | undefined;
  fetch?: Fetch | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
  /** A call waits for a model: it has an hour. */
  isCall?: boolean;
  /** The gateway takes no Idempotency-Key here, so that only a refusal is repeated. */
  isKeyless?: boolean;
  /** An earlier connection of the same operation was lost. */
  isContinued?: boolean;
}

/** An answer, whose body is still to be read. The attempt ends with `attempt.end()`. */
export interface Opened {
  response: Answer;
  attempt: Attempt;
}

const managementTimeoutMs = 60_000;
const callTimeoutMs = 3_600_000;
const defaultMaxRetries = 2;

/** `status=a&status=b` of a list, `metadata.key=value` of an object; what is undefined or null is left out. */
function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
    if (typeof value === 'object') return Object.entries(value).map(([key, one]) => [`${name}.${key}`, String(one)]);
    return [[name, String(value)]];
  });
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}

/** A path with its parts encoded: ids may have any character. */
export const path = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));

/** An id that is empty, `.` or `..` would make the path that of something else. */
const lacksId = /\/\.{0,2}(\/|$)/;

/** Sends requests with the credential, and repeats those that may be repeated. */
export class Transport {
  readonly #options: ConnectionOptions;
  readonly #baseUrl: string;
  readonly #credential: string | undefined;

  constructor(options: ConnectionOptions, credential: string | undefined) {
    const baseUrl = options.baseUrl ?? environment('JOB_GATEWAY_BASE_URL');
    if (!baseUrl) throw new JobGatewayError('baseUrl is missing: give it, or set JOB_GATEWAY_BASE_URL');
    this.#options = options;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#credential = credential;
  }

  /** The JSON of the answer. */
  json<T>(request: Request, options?: RequestOptions): Promise<T> {
    return this.read(request, options, async (response) => (await response.json()) as T);
  }

  get<T>(path: string, query: object, options?: RequestOptions): Promise<T> {
    return this.json({ method: 'GET', path, query }, options);
  }

  post<T>(path: string, body?: object, options?: RequestOptions): Promise<T> {
    return this.json({ method: 'POST', path, body }, options);
  }

  put<T>(path: string, body: object, options?: RequestOptions): Promise<T> {
    return this.json({ method: 'PUT', path, body }, options);
  }

  patch<T>(path: string, body: object, options?: RequestOptions): Promise<T> {
    return this.json({ method: 'PATCH', path, body }, options);
  }

  delete<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.json({ method: 'DELETE', path }, options);
  }

  /** What `read` makes of a successful answer. An answer that breaks off while it is read is a lost connection. */
  read<T>(request: Request, options: RequestOptions = {}, read: (response: Answer) => Promise<T>): Promise<T> {
    return this.#repeat(request, options, async ({ response, attempt }) => {
      try {
        return await read(response);
      } finally {
        attempt.end();
      }
    });
  }

  /** A successful answer whose body is read by the caller, who also ends the attempt. */
  open(request: Request, options: RequestOptions = {}): Promise<Opened> {
    return this.#repeat(request, options, async (opened) => opened);
  }

  timeoutOf({ isCall = false }: Pick<Request, 'isCall'>, options: RequestOptions): number {
    return options.timeout ?? this.#options.timeout ?? (isCall ? callTimeoutMs : managementTimeoutMs);
  }

  maxRetriesOf(options: RequestOptions): number {
    return options.maxRetries ?? this.#options.maxRetries ?? defaultMaxRetries;
  }

  async #repeat<T>(request: Request, options: RequestOptions, use: (opened: Opened) => Promise<T>): Promise<T> {
    if (lacksId.test(request.path)) throw new JobGatewayError(`${request.path} has an id that is none`);
    const headers = this.#headersOf(request, options);
    const maxRetries = this.maxRetriesOf(options);
    const timeoutMs = this.timeoutOf(request, options);
    let repetitions = 0;
    let lostAt = request.isContinued ? performance.now() : null;
    for (;;) {
      const beganAt = performance.now();
      try {
        return await this.#attempt(request, headers, timeoutMs, options.signal, use);
      } catch (error) {
        const isLost = error instanceof APIConnectionError && !error.isRefused;
        if (isLost) lostAt = beganAt;
        const repetition = repetitionOf(
          {
            error,
            repetitions,
            maxRetries,
            isSafe: !request.isKeyless,
            lostForMs: lostAt === null ? null : performance.now() - lostAt,
            timeoutMs,
          },
          Math.random(),
        );
        if (!repetition) throw error;
        if (repetition.counts) repetitions += 1;
        await wait(repetition.waitMs, options.signal);
      }
    }
  }

  async #attempt<T>(
    { method, path, query = {}, body }: Request,
    headers: Record<string, string>,
    timeoutMs: number,
    signal: Signal | undefined,
    use: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const attempt = new Attempt(signal);
    attempt.limit(timeoutMs);
    const send = (this.#options.fetch ?? globalThis.fetch) as typeof globalThis.fetch;
    try {
      const response = await send(`${this.#baseUrl}${path}${queryText(query)}`, {
        method,
        headers,
        signal: attempt.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw await failureOf(response);
      return await use({ response, attempt });
    } catch (error) {
      const failure = attempt.failureOf(error);
      attempt.end();
      throw failure;
    }
  }

  #headersOf({ method, body, headers }: Request, options: RequestOptions): Record<string, string> {
    return {
      ...this.#options.headers,
      ...(this.#credential && { Authorization: `Bearer ${this.#credential}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(method !== 'GET' && { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...headers,
      ...options.headers,
    };
  }
}

async function failureOf(response: Answer): Promise<APIError> {
  const text = await response.text();
  return errorOf(response.status, (name) => response.headers.get(name), text);
}
