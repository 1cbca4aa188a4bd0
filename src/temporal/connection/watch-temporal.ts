import { poll } from '../../concurrency/poll.ts';
import type { Temporal } from './open-temporal.ts';

/** Whether Temporal responds, for requests that wait for something that happens much later. */
export interface TemporalWatch {
  /** The last request got no response within 2 s. */
  isUnavailable(): boolean;
  close(): void;
}

/** `spec 1.8` promises a 503 within 3 s, and the next request starts half a second after the last response. */
const temporalTimeoutMs = 2_000;

export function watchTemporal(temporal: Temporal): TemporalWatch {
  let isUnavailable = false;
  const polling = poll(async () => {
    isUnavailable = !(await temporal.isReachable(temporalTimeoutMs));
  });
  return { isUnavailable: () => isUnavailable, close: () => void polling.close() };
}
