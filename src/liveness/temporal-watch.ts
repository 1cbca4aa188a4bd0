import { poll } from '../concurrency/poll.ts';
import type { Temporal } from '../temporal/connection/client.ts';

/** Whether the server answers at all, for requests that wait for something it will tell much later. */
export interface TemporalWatch {
  isUnavailable(): boolean;
  close(): void;
}

/** A 503 is promised within 3 s, and the server is asked again only half a second after an answer. */
const answerWithinMs = 2_000;

export function watchTemporal(temporal: Temporal): TemporalWatch {
  let isAway = false;
  const asking = poll(async () => {
    isAway = !(await temporal.isReachable(answerWithinMs));
  });
  return {
    isUnavailable: () => isAway,
    close: asking.close,
  };
}
