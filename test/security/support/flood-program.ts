import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Flood, type FloodOutcome, startedLine } from './flood.ts';

/** Sends many requests, as a process of its own. Reads them from standard input and prints its outcome at the end. */
const flood = JSON.parse(await text(process.stdin)) as Flood;
const { url, atOnce, count = 1_000_000, seconds, keepAlive = true, abortAfterMs } = flood;
const agent = new Agent({ keepAlive, maxSockets: atOnce });
const until = performance.now() + seconds * 1_000;
const outcome: FloodOutcome = { sent: 0, statuses: {} };

process.once('SIGTERM', finish);
await Promise.all(Array.from({ length: atOnce }, sendInSequence));
finish();

function finish(): never {
  process.stdout.write(JSON.stringify(outcome));
  process.exit(0);
}

async function sendInSequence(): Promise<void> {
  while (outcome.sent < count && performance.now() < until) {
    const answer = send(outcome.sent++);
    if (outcome.sent === Math.min(atOnce, count)) process.stdout.write(`${startedLine}\n`);
    const status = await answer;
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
  }
}

function send(n: number): Promise<number> {
  const one = flood.requests[n % flood.requests.length]!;
  const numbered = (text: string) => text.replaceAll('{n}', String(n)).replaceAll('{hex}', (n + 1).toString(16));
  const body = one.packed ? Buffer.from(one.packed, 'base64') : Buffer.from(numbered(one.body ?? ''));
  const headers = Object.fromEntries(Object.entries(one.headers ?? {}).map(([name, text]) => [name, numbered(text)]));
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
