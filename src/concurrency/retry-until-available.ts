import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/**
 * Retries `work` with backoff while it throws `Unavailable`. For the record of a call that the upstream has answered: an outage
 * of PostgreSQL for a minute must not lead to a second paid request. The activity's heartbeats continue meanwhile; its timeout
 * is the limit.
 */
export async function retryUntilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await pause(pauseMs);
    }
  }
}
