/** One HTTP answer, read whole. */
export interface Answer<Body = Json> {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined when it is not JSON. */
  body: Body;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what it takes an answer for
export type Json = any;

export interface Question {
  /** Sent as a bearer. */
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** `ask(url, 'post', '/api/jobs/create', { key, body })` */
export async function ask(url: string, method: string, path: string, question: Question = {}): Promise<Answer> {
  const { key, headers, body, raw } = question;
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

function asJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
