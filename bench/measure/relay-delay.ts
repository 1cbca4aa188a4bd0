import { openLoop } from '../drive/open-loop.ts';
import { readStream } from '../drive/send.ts';
import { median, quantile } from '../drive/statistics.ts';
import type { Subject } from '../subject.ts';

export interface RelayDelay {
  streams: number;
  tokens: number;
  delayP50: number;
  delayP99: number;
  gapP50: number;
  gapP99: number;
  failures: number;
}

/** So that streams do not begin at one moment, and their tokens spread over the 50 ms between two of them. */
const startsPerSecond = 50;
const tokensPerSecond = 20;

/** `streams` at once, 20 tokens a second each: how long each token was on its way, from the upstream's write to ours read. */
export async function measureRelayDelay(subject: Subject, streams: number, tokens: number): Promise<RelayDelay> {
  const shots = await subject.prepare(streams);
  const { results, failures } = await openLoop(startsPerSecond, streams / startsPerSecond, (index) =>
    readStream(subject.url, shots[index]!, tokens),
  );
  if (failures[0]) console.error(`  ${subject.name}: ${failures.length} failed, first: ${failures[0].message}`);
  // Only while all streams run: neither what comes while others are still beginning, nor what comes after others end.
  const others = Math.ceil((streams / startsPerSecond) * tokensPerSecond);
  const together = <T>(of: T[]) => of.slice(others, tokens - others);
  const delays = results.flatMap(({ delaysMs }) => together(delaysMs));
  const gaps = results.flatMap(({ gapsMs }) => together(gapsMs));
  return {
    streams: results.length,
    tokens: delays.length,
    delayP50: median(delays),
    delayP99: quantile(delays, 0.99),
    gapP50: median(gaps),
    gapP99: quantile(gaps, 0.99),
    failures: failures.length,
  };
}
