import type { Print } from './print.ts';

export type Caller = { url: string; key: string; keyName: string; print: Print };
export type Reply = { status: number; body: Record<string, unknown> };

/** Sends one request and prints it with its response. Throws on a status that is not expected, which ends the sample job. */
export async function callGateway(
  caller: Caller,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  expected: number[] = [200],
): Promise<Reply> {
  const response = await send(caller, method, path, body);
  const text = await response.text();
  const earlier = response.status === 400 ? '\n      (created by an earlier start, and used again)' : '';
  caller.print(`  ${response.status} ${shorten(text)}${earlier}\n`);
  if (!expected.includes(response.status)) throw new Error(`${method} ${path} returned ${response.status}`);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

/** The same for a stream; prints its first and last events. */
export async function streamFromGateway(caller: Caller, path: string, body: object): Promise<void> {
  const response = await send(caller, 'POST', path, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`POST ${path} returned ${response.status}: ${shorten(text)}`);
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  const shown =
    events.length > 5 ? [...events.slice(0, 2), `… ${events.length - 4} more events …`, ...events.slice(-2)] : events;
  caller.print(
    `  200 ${response.headers.get('content-type')}\n${shown.map((line) => `      ${shorten(line)}`).join('\n')}\n`,
  );
  if (events.at(-1) !== 'data: [DONE]') throw new Error(`the stream of ${path} did not end with [DONE]`);
}

async function send(
  { url, key, keyName, print }: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  print(`${method} ${path}   (Authorization: Bearer <${keyName}>)${body ? `\n      ${JSON.stringify(body)}` : ''}`);
  return fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
}

/** Shortens a response and its keys: others may read the terminal or a file with its output. */
const shorten = (text: string): string => {
  const hidden = text.replaceAll(/\bsk-[A-Za-z0-9]{4}[A-Za-z0-9]+/g, (key) => `${key.slice(0, 7)}…`);
  return hidden.length > 700 ? `${hidden.slice(0, 700)} …` : hidden;
};
