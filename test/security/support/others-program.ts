import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Measuring, Others } from './others.ts';

/**
 * The requests of a team that attacks nobody, as a process of its own: jobs of one call that are completed and found in the list, one after
 * the other, and `/health` beside them. Prints how long each took.
 */
const { url, key, teamId, modelGroup, turns, seconds, maxSeconds } = JSON.parse(await text(process.stdin)) as Measuring;
const others: Others = { calls: [], completes: [], lists: [], health: [], failures: {} };
const startedAt = performance.now();
const ending = new AbortController();
const ended = ending.signal;
setTimeout(() => ending.abort(), maxSeconds * 1_000);
const answerWithinMs = 20_000;

const passed = () => performance.now() - startedAt;
let isMeasuring = true;
const health = measureHealth();
for (let turn = 0; !ended.aborted && (turn < turns || passed() < seconds * 1_000); turn += 1) await takeTurn();
isMeasuring = false;
await health;
process.stdout.write(JSON.stringify(others));
process.exit(0);

async function takeTurn(): Promise<void> {
  const created = await send('POST', '/api/jobs/create', [], { team_id: teamId, job_type: 'report' });
  if (!created?.job_id) return;
  const job = `/api/jobs/${created.job_id}`;
  const messages = [{ role: 'user', content: 'Tell me about rivers' }];
  await send('POST', `${job}/llm-call`, others.calls, { model_group: modelGroup, messages });
  await send('POST', `${job}/complete`, others.completes, { status: 'completed' });
  await send('GET', '/api/jobs?limit=20', others.lists);
}

async function measureHealth(): Promise<void> {
  while (isMeasuring && !ended.aborted) {
    await send('GET', '/health', others.health);
    await pause(50);
  }
}

/** A request without an answer counts with the time that was waited for it. The end of the measurement is no failure. */
async function send(method: string, path: string, times: number[], body?: unknown) {
  const begunAt = performance.now();
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.any([ended, AbortSignal.timeout(answerWithinMs)]),
    });
    const read = await answer.text();
    if (answer.ok) return JSON.parse(read) as { job_id?: string };
    fail(`${method} ${nameOf(path)}: ${answer.status} ${read.slice(0, 200)}`);
  } catch (error) {
    if (!ended.aborted) fail(`${method} ${nameOf(path)}: ${(error as Error).message}`);
  } finally {
    times.push(performance.now() - begunAt);
  }
  return undefined;
}

function nameOf(path: string): string {
  return path.replace(/[0-9a-f-]{36}/, '{job_id}');
}

function fail(what: string): void {
  others.failures[what] = (others.failures[what] ?? 0) + 1;
}
