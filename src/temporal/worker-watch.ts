import type { Database } from '../db/database.ts';
import { workerSilenceMs } from '../db/queries/worker-heartbeat.ts';
import { inTime } from '../in-time.ts';
import { keepAsking } from './keep-asking.ts';

/**
 * Whether anybody is there to carry out a command. Temporal takes a signal with or without a worker; a client would wait
 * for ever. Each worker says twice a second that it lives, and this asks as often.
 */
export interface WorkerWatch {
  /** There is no worker, or each has been silent for so long that nothing new should be promised. */
  away(): boolean;
  /** They stay silent for longer than a restart takes. */
  gone(): boolean;
  close(): void;
}

/** Four beats missed. */
const awayAfterMs = 2_000;
/** A worker that is started again takes the work up where it was. */
const goneAfterMs = 15_000;

const answerWithinMs = 1_000;

/** Resolves when it has asked for the first time: before that nobody should be told that all is well. */
export async function watchWorkers(database: Database, taskQueue: string): Promise<WorkerWatch> {
  // Until the first answer: a database that never was migrated gives none.
  let isAway = true;
  let isGone = false;
  let heardAt = Number.NEGATIVE_INFINITY;
  const asking = keepAsking(async () => {
    const silentMs = await inTime(workerSilenceMs(database, taskQueue), answerWithinMs).catch(() => undefined);
    const now = performance.now();
    // PostgreSQL away answers for itself, and says nothing about the workers.
    if (silentMs === undefined) {
      heardAt = now;
      return;
    }
    // After a crash it knows of none until they have spoken again.
    const sinceMs = silentMs ?? now - heardAt;
    // One that has left is silent at once, and another one may be about to take its place.
    heardAt = Math.max(heardAt, now - sinceMs);
    isAway = sinceMs > awayAfterMs;
    isGone = now - heardAt > goneAfterMs;
  });
  await asking.first;
  return {
    away: () => isAway,
    gone: () => isGone,
    close: asking.close,
  };
}
