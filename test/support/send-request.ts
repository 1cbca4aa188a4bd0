/** One HTTP response, read to its end. */
export interface Answer<Body = Json> {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined when it is not JSON. */
  body: Body;
}

// biome-ignore lint/suspicious/noExplicitAny: the expectations of a test state the type of a body
export type Json = any;

export interface RequestOptions {
  /** The key is sent as a bearer. */
  key?: string;
  headers?: Record<string, string>;
  /** The body is sent as JSON. */
  body?: unknown;
  /** The bytes are sent as they are. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** `sendRequest(url, 'post', '/api/jobs/create', { key, body })` */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { key, headers, body, raw }: RequestOptions = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: asJson(text) };
}

/** Why a request had no answer, such as `ECONNRESET`: `fetch` itself says "fetch failed" only. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  if (!(cause instanceof Error)) return String(error);
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === undefined ? message : `${code} ${message}`;
}

function asJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
