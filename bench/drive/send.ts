import { Agent, request } from 'undici';
import type { Shot } from '../subject.ts';

/** Kept open, one request at a time each: the driver adds no waiting of its own. */
const dispatcher = new Agent({ connections: 512, pipelining: 1, keepAliveTimeout: 60_000, headersTimeout: 60_000 });

export const closeDriver = () => dispatcher.destroy();

const answered = new Map<string, number>();

/** How many requests to a path were answered with 200 so far. */
export const answersOf = (path: string): number => answered.get(path) ?? 0;

export async function post(url: string, { path, headers, body }: Shot): Promise<string> {
  const response = await request(`${url}${path}`, { method: 'POST', headers, body, dispatcher });
  const said = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}: ${said}`);
  answered.set(path, answersOf(path) + 1);
  return said;
}

/** A token as the stand-in sends it: the moment, by the clock that all processes of the machine share. */
const stamp = /(\d{10,});/g;

export interface Streamed {
  /** Of the driver's own clock. */
  firstTokenAt: number;
  /** How long each token was on its way, milliseconds. */
  delaysMs: number[];
  /** Between one arrival of tokens and the next, milliseconds. */
  gapsMs: number[];
}

/** Reads a stream to its end. Throws when it does not end as it should or a token is missing. */
export async function readStream(url: string, { path, headers, body }: Shot, tokens: number): Promise<Streamed> {
  const response = await request(`${url}${path}`, { method: 'POST', headers, body, dispatcher });
  const streamed: Streamed = { firstTokenAt: 0, delaysMs: [], gapsMs: [] };
  let said = '';
  let lastAt = 0;
  let done = false;
  for await (const bytes of response.body as AsyncIterable<Buffer>) {
    const now = process.hrtime.bigint();
    const at = performance.now();
    said += bytes.toString('latin1');
    done ||= said.includes('[DONE]');
    const before = streamed.delaysMs.length;
    const lastLine = said.lastIndexOf('\n') + 1;
    for (const [, sentAt] of said.slice(0, lastLine).matchAll(stamp))
      streamed.delaysMs.push(Number(now - BigInt(sentAt!)) / 1e6);
    if (streamed.delaysMs.length === before) continue;
    if (before === 0) streamed.firstTokenAt = at;
    else streamed.gapsMs.push(at - lastAt);
    lastAt = at;
    said = said.slice(lastLine - 1);
  }
  if (!done || streamed.delaysMs.length !== tokens)
    throw new Error(`a stream of ${url} ended after ${streamed.delaysMs.length} tokens of ${tokens}: ${said}`);
  return streamed;
}
