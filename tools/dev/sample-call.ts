import type { Say } from './say.ts';

export type Caller = { url: string; key: string; keyName: string; say: Say };
export type Answer = { status: number; body: Record<string, unknown> };

/** One request and its answer, both shown. Only statuses that the caller expects come back; the rest end the sample. */
export async function callGateway(
  caller: Caller,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  expected: number[] = [200],
): Promise<Answer> {
  const response = await send(caller, method, path, body);
  const text = await response.text();
  const earlier = response.status === 400 ? '\n      (left by an earlier start, and good for this one)' : '';
  caller.say(`  ${response.status} ${shorten(text)}${earlier}\n`);
  if (!expected.includes(response.status)) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

/** The same for a stream: counts the events and joins their text. */
export async function streamFromGateway(caller: Caller, path: string, body: object): Promise<void> {
  const response = await send(caller, 'POST', path, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`POST ${path} was answered with ${response.status}: ${shorten(text)}`);
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  const shown =
    events.length > 5 ? [...events.slice(0, 2), `… ${events.length - 4} more events …`, ...events.slice(-2)] : events;
  caller.say(
    `  200 ${response.headers.get('content-type')}\n${shown.map((line) => `      ${shorten(line)}`).join('\n')}\n`,
  );
  if (events.at(-1) !== 'data: [DONE]') throw new Error(`the stream of ${path} did not end with [DONE]`);
}

async function send(
  { url, key, keyName, say }: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  say(`${method} ${path}   (Authorization: Bearer <${keyName}>)${body ? `\n      ${JSON.stringify(body)}` : ''}`);
  return fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
}

/** Shows just enough of a key to tell it from others: the terminal may be looked over, and its output kept. */
const shorten = (text: string): string => {
  const hidden = text.replaceAll(/\bsk-[A-Za-z0-9]{4}[A-Za-z0-9]+/g, (key) => `${key.slice(0, 7)}…`);
  return hidden.length > 700 ? `${hidden.slice(0, 700)} …` : hidden;
};
