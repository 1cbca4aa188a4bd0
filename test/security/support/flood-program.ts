import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Flood, type FloodOutcome, type FloodRequest, startedLine } from './flood.ts';

/** Sends many requests, as a process of its own. Reads them from standard input and prints its outcome at the end. */
const flood = JSON.parse(await text(process.stdin)) as Flood;
const { url, from, atOnce, count = 1_000_000, seconds, keepAlive = true, abortAfterMs, perMinute } = flood;
const agent = new Agent({ keepAlive, maxSockets: atOnce, ...(from && { localAddress: from }) });
const startedAt = performance.now();
const until = startedAt + seconds * 1_000;
const outcome: FloodOutcome = { sent: 0, statuses: {} };
const prepared = flood.requests.map(prepare);
/** With a pace it has begun with its first request. */
const begunAt = perMinute ? 1 : Math.min(atOnce, count);

process.once('SIGTERM', finish);
await Promise.all(Array.from({ length: atOnce }, sendInSequence));
finish();

function finish(): never {
  process.stdout.write(JSON.stringify(outcome));
  process.exit(0);
}

async function sendInSequence(): Promise<void> {
  while (outcome.sent < count && performance.now() < until) {
    const n = outcome.sent++;
    if (perMinute) await pause(Math.max(0, startedAt + (n * 60_000) / perMinute - performance.now()));
    const answer = send(n);
    if (n + 1 === begunAt) process.stdout.write(`${startedLine}\n`);
    const status = await answer;
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
  }
}

/** A large body is made once, unless it has the number of its request. */
function prepare({ packed, body = '', method, path, headers = {} }: FloodRequest) {
  const bytes = packed ? Buffer.from(packed, 'base64') : isNumbered(body) ? undefined : Buffer.from(body);
  return { method, path, headers, bodyOf: (number: (text: string) => string) => bytes ?? Buffer.from(number(body)) };
}

function isNumbered(text: string): boolean {
  return text.includes('{n}') || text.includes('{hex}');
}

function send(n: number): Promise<number> {
  const one = prepared[n % prepared.length]!;
  const numbered = (text: string) => text.replaceAll('{n}', String(n)).replaceAll('{hex}', (n + 1).toString(16));
  const body = one.bodyOf(numbered);
  const headers = Object.fromEntries(Object.entries(one.headers).map(([name, text]) => [name, numbered(text)]));
  if (body.length > 0) headers['content-length'] = String(body.length);
  return new Promise((resolve) => {
    const sending = request(`${url}${numbered(one.path)}`, { method: one.method, headers, agent }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
    });
    sending.once('error', () => resolve(0));
    if (abortAfterMs !== undefined) setTimeout(() => sending.destroy(), abortAfterMs);
    sending.end(body);
  });
}
