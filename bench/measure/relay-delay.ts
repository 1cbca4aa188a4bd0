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

/** Spreads the starts of the streams, and so their tokens over the 50 ms between two tokens. */
const startsPerSecond = 50;
const tokensPerSecond = 20;

/** The delay of each token, from the upstream's write to the driver's read, with `streams` at once of 20 tokens a second each. */
export async function measureRelayDelay(subject: Subject, streams: number, tokens: number): Promise<RelayDelay> {
  const shots = await subject.prepare(streams);
  const { results, failures } = await openLoop(startsPerSecond, streams / startsPerSecond, (index) =>
    readStream(subject.url, shots[index]!, tokens),
  );
  if (failures[0]) console.error(`  ${subject.name}: ${failures.length} failed, first: ${failures[0].message}`);
  // Only tokens from the time in which all streams are running.
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
