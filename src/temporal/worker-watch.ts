import type { Database } from '../db/database.ts';
import { workerSilenceMs } from '../db/queries/worker-heartbeat.ts';
import { keepAsking } from './keep-asking.ts';

/**
 * Whether anybody is there to carry out a command. Temporal takes a signal with or without a worker; a client would wait
 * for ever. Each worker says twice a second that it lives, and this asks as often.
 */
export interface WorkerWatch {
  /** Every worker has been silent for so long that nothing new should be promised. */
  away(): boolean;
  /** They stay silent for longer than a restart takes. */
  gone(): boolean;
  close(): void;
}

/** Four beats missed. */
const awayAfterMs = 2_000;
/** A worker that is started again takes the work up where it was. */
const goneAfterMs = 15_000;

/** Resolves when it has asked for the first time: before that nobody should be told that all is well. */
export async function watchWorkers(database: Database, taskQueue: string): Promise<WorkerWatch> {
  let silentMs = 0;
  const asking = keepAsking(async () => {
    try {
      silentMs = (await workerSilenceMs(database, taskQueue)) ?? Number.POSITIVE_INFINITY;
    } catch {
      // PostgreSQL is away: that answers for itself, and says nothing about the workers.
      silentMs = 0;
    }
  });
  await asking.first;
  return {
    away: () => silentMs > awayAfterMs,
    gone: () => silentMs > goneAfterMs,
    close: asking.close,
  };
}
