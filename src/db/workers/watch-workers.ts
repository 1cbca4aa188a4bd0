import { poll } from '../../concurrency/poll.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { Database } from '../connection/database.ts';
import { unavailableAfterMs, workerSilenceMs } from './worker-heartbeat.ts';

/**
 * Whether any worker is there to execute a command. Temporal accepts a signal with or without one, and a client would wait for
 * ever. Each worker writes a heartbeat twice a second, and this reads them as often.
 */
export interface WorkerWatch {
  /** The newest heartbeat is more than 2 s old, there is none, or every worker has shut down: accept nothing new. */
  isUnavailable(): boolean;
  /** The newest heartbeat is more than 15 s old, which is longer than a restart takes. */
  isGone(): boolean;
  close(): void;
}

/** A restarted worker continues the work of its predecessor. */
const goneAfterMs = 15_000;

const databaseTimeoutMs = 1_000;

/** Resolves after the first read: until then no request must be accepted. */
export async function watchWorkers(database: Database, taskQueue: string): Promise<WorkerWatch> {
  // This holds until the first response: a database that was never migrated gives none.
  let isUnavailable = true;
  let isGone = false;
  let lastSeenAt = Number.NEGATIVE_INFINITY;
  let readAt = performance.now();
  const polling = poll(async () => {
    const silentMs = await withTimeout(workerSilenceMs(database, taskQueue), databaseTimeoutMs).catch(() => undefined);
    const now = performance.now();
    const sinceReadMs = now - readAt;
    readAt = now;
    // An outage of PostgreSQL is reported elsewhere, and is no evidence about the workers: the time in it does not count. That before it
    // does, so that single late reads on a busy machine do not hide that there is no worker.
    if (silentMs === undefined) {
      lastSeenAt += sinceReadMs;
      return;
    }
    // After a crash of PostgreSQL the table is empty until the next heartbeats.
    const sinceMs = silentMs ?? now - lastSeenAt;
    // Workers that have shut down are unavailable at once, but not gone: others may be about to take their place.
    lastSeenAt = Math.max(lastSeenAt, now - sinceMs);
    isUnavailable = sinceMs > unavailableAfterMs;
    isGone = now - lastSeenAt > goneAfterMs;
  });
  await polling.first;
  return { isUnavailable: () => isUnavailable, isGone: () => isGone, close: () => void polling.close() };
}
