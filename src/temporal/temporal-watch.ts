import type { Temporal } from './client.ts';
import { keepAsking } from './keep-asking.ts';

/** Whether the server answers at all, for those who wait for something that it will tell much later. */
export interface TemporalWatch {
  away(): boolean;
  close(): void;
}

/** The promise is 3 s; most of the rest is the pulse of `Temporal.ask`. */
const answerWithinMs = 2_000;

export function watchTemporal(temporal: Temporal): TemporalWatch {
  let isAway = false;
  const asking = keepAsking(async () => {
    isAway = !(await temporal.answers(answerWithinMs));
  });
  return {
    away: () => isAway,
    close: asking.close,
  };
}
