import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../src/errors.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Until PostgreSQL answers. An upstream that was paid is not asked again because the database was away for a
 * minute: the activity keeps its heart beating and waits. What bounds it is the activity's own timeout.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await pause(pauseMs);
    }
  }
}
