import { poll } from '../concurrency/poll.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { workerSilenceMs } from '../db/server/worker-heartbeat.ts';

/**
 * Whether any worker is there to carry out a command. Temporal takes a signal with or without one, and a client would wait for
 * ever. Each worker beats twice a second, and this looks as often.
 */
export interface WorkerWatch {
  /** There is no worker, or all have been silent for so long that nothing new should be promised. */
  isUnavailable(): boolean;
  /** All workers have been silent for longer than a restart takes. */
  isGone(): boolean;
  close(): void;
}

/** Four beats missed. */
const awayAfterMs = 2_000;
/** A restarted worker takes the work up where it was. */
const goneAfterMs = 15_000;

const answerWithinMs = 1_000;

/** Resolves after the first look: before that no request should be told that all is well. */
export async function watchWorkers(database: Database, taskQueue: string): Promise<WorkerWatch> {
  // Until the first answer: a database that was never migrated gives none.
  let isAway = true;
  let isGone = false;
  let heardAt = Number.NEGATIVE_INFINITY;
  const asking = poll(async () => {
    const silentMs = await withTimeout(workerSilenceMs(database, taskQueue), answerWithinMs).catch(() => undefined);
    const now = performance.now();
    // An outage of PostgreSQL is reported elsewhere, and says nothing about the workers.
    if (silentMs === undefined) {
      heardAt = now;
      return;
    }
    // After a crash of PostgreSQL the table is empty until the workers beat again.
    const sinceMs = silentMs ?? now - heardAt;
    // A worker that left is away at once, but not gone: another one may be about to take its place.
    heardAt = Math.max(heardAt, now - sinceMs);
    isAway = sinceMs > awayAfterMs;
    isGone = now - heardAt > goneAfterMs;
  });
  await asking.first;
  return {
    isUnavailable: () => isAway,
    isGone: () => isGone,
    close: asking.close,
  };
}
