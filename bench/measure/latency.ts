import { openLoop } from '../drive/open-loop.ts';
import { post, readStream } from '../drive/send.ts';
import { median, quantile } from '../drive/statistics.ts';
import type { Subject } from '../subject.ts';
import { cpuSeconds } from './cpu-seconds.ts';

export interface Latency {
  p50: number;
  p99: number;
  /** All latencies, in milliseconds from the intended start. */
  values: number[];
  cpuMsPerCall: number;
  failures: number;
}

/** Enough jobs for a rate, so that no call waits for another call of its job. */
const jobsOf = (perSecond: number): number => Math.min(32, perSecond * 2);

/** Latency from the intended start to the end of the answer; for a stream to its first token. */
export async function measureLatency(
  subject: Subject,
  perSecond: number,
  seconds: number,
  streamedTokens?: number,
): Promise<Latency> {
  const shots = await subject.prepare(jobsOf(perSecond));
  const cpuBefore = cpuSeconds(subject.pids);
  const { results, failures } = await openLoop(perSecond, seconds, async (index, intendedAt) => {
    const shot = shots[index % shots.length]!;
    if (streamedTokens === undefined) await post(subject.url, shot);
    else return (await readStream(subject.url, shot, streamedTokens)).firstTokenAt - intendedAt;
    return performance.now() - intendedAt;
  });
  if (failures[0]) console.error(`  ${subject.name}: ${failures.length} failed, first: ${failures[0].message}`);
  const cpuMsPerCall = ((cpuSeconds(subject.pids) - cpuBefore) * 1_000) / results.length;
  const values = results.map((ms) => Math.round(ms * 100) / 100);
  return { p50: median(values), p99: quantile(values, 0.99), values, cpuMsPerCall, failures: failures.length };
}
