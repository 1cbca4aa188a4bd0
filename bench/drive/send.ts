import { Agent, request } from 'undici';
import type { Shot } from '../subject.ts';

/** Connections stay open and carry one request at a time, so that the driver adds no wait. */
const dispatcher = new Agent({ connections: 512, pipelining: 1, keepAliveTimeout: 60_000, headersTimeout: 60_000 });

export const closeDriver = () => dispatcher.destroy();

let answeredJobs = 0;

/** The number of answers that were each that of a job of its own. */
export const jobsAnswered = (): number => answeredJobs;

export async function post(url: string, { path, headers, body, isJob }: Shot): Promise<string> {
  const response = await request(`${url}${path}`, { method: 'POST', headers, body, dispatcher });
  const answer = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}: ${answer}`);
  if (isJob) answeredJobs += 1;
  return answer;
}

/** A token of the upstream stand-in: the time of its sending, on the clock that all processes of the machine share. */
const stamp = /(\d{10,});/g;

export interface Streamed {
  /** On the driver's clock. */
  firstTokenAt: number;
  /** The delay of each token from upstream to driver, milliseconds. */
  delaysMs: number[];
  /** Between one arrival of tokens and the next, milliseconds. */
  gapsMs: number[];
}

/** Reads a stream to its end. Throws when `[DONE]` or a token is missing. */
export async function readStream(url: string, { path, headers, body }: Shot, tokens: number): Promise<Streamed> {
  const response = await request(`${url}${path}`, { method: 'POST', headers, body, dispatcher });
  const streamed: Streamed = { firstTokenAt: 0, delaysMs: [], gapsMs: [] };
  let unread = '';
  let lastAt = 0;
  let done = false;
  for await (const bytes of response.body as AsyncIterable<Buffer>) {
    const now = process.hrtime.bigint();
    const at = performance.now();
    unread += bytes.toString('latin1');
    done ||= unread.includes('[DONE]');
    const before = streamed.delaysMs.length;
    const lastLine = unread.lastIndexOf('\n') + 1;
    for (const [, sentAt] of unread.slice(0, lastLine).matchAll(stamp))
      streamed.delaysMs.push(Number(now - BigInt(sentAt!)) / 1e6);
    if (streamed.delaysMs.length === before) continue;
    if (before === 0) streamed.firstTokenAt = at;
    else streamed.gapsMs.push(at - lastAt);
    lastAt = at;
    unread = unread.slice(lastLine - 1);
  }
  if (!done || streamed.delaysMs.length !== tokens)
    throw new Error(`a stream of ${url} ended after ${streamed.delaysMs.length} tokens of ${tokens}: ${unread}`);
  return streamed;
}
