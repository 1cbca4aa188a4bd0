import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Repeats `work` until PostgreSQL answers: a paid upstream must not be asked again because the database was away for a minute.
 * Heartbeats go on meanwhile; the activity's own timeout is the limit.
 */
export async function retryUntilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await pause(pauseMs);
    }
  }
}
