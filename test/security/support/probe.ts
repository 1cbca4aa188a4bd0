import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../faults/support/figures.ts';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import type { Installation } from './installation.ts';

type Open = { readonly current: Pick<Installation, 'url' | 'masterKey'> };

export interface Latency {
  p50: number;
  max: number;
  count: number;
}

/** The durations of `request`, sent repeatedly for `seconds` and at least three times. */
async function timesOf(request: () => Promise<unknown>, seconds: number, everyMs = 0): Promise<Latency> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until || times.length < 3) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
    await pause(everyMs);
  }
  return { p50: percentile(times, 0.5), max: Math.max(...times), count: times.length };
}

/** The durations of single-call jobs of a team, one after the other. A 503 of a full installation counts with its duration. */
export const callTimes = (installation: Open, team: GivenTeam, seconds: number): Promise<Latency> =>
  timesOf(async () => {
    const answer = await as(installation, team).single();
    if (answer.status !== 503) expectOk(answer);
  }, seconds);

export const healthTimes = (url: string, seconds: number): Promise<Latency> =>
  timesOf(() => sendRequest(url, 'get', '/health'), seconds, 20);

/** The highest of a value that is read ten times a second until `end`. */
export function watchHighest(read: () => number): { end(): number } {
  let highest = read();
  const timer = setInterval(() => {
    highest = Math.max(highest, read());
  }, 100);
  return {
    end() {
      clearInterval(timer);
      return Math.max(highest, read());
    },
  };
}
