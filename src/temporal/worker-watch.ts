import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { workerSilenceMs } from '../db/queries/worker-heartbeat.ts';

/**
 * Whether anybody is there to carry out a command. Temporal takes a signal with or without a worker; a client would wait
 * for ever. Each worker says twice a second that it lives, and this asks as often.
 */
export interface WorkerWatch {
  /** Every worker has been silent for so long that nothing new should be promised. */
  away(): boolean;
  /** Resolves when they stay silent for longer than a restart takes, or when aborted it never does. */
  untilGone(signal: AbortSignal, everyMs: number): Promise<void>;
  close(): void;
}

/** What a worker knows about workers: there is one. */
export const inAWorker: Pick<WorkerWatch, 'away' | 'untilGone'> = {
  away: () => false,
  untilGone: () => new Promise(() => undefined),
};

const askMs = 500;
/** Four beats missed. */
const awayAfterMs = 2_000;
/** A worker that is started again takes the work up where it was. */
const goneAfterMs = 15_000;

export function watchWorkers(database: Database, taskQueue: string): WorkerWatch {
  let silentMs = 0;
  let closed = false;
  const ask = async () => {
    while (!closed) {
      try {
        silentMs = (await workerSilenceMs(database, taskQueue)) ?? Number.POSITIVE_INFINITY;
      } catch {
        // PostgreSQL is away: that answers for itself, and says nothing about the workers.
        silentMs = 0;
      }
      await pause(askMs, undefined, { ref: false });
    }
  };
  void ask();
  return {
    away: () => silentMs > awayAfterMs,
    untilGone: (signal, everyMs) =>
      new Promise((resolve) => {
        const timer = setInterval(() => {
          if (silentMs <= goneAfterMs) return;
          clearInterval(timer);
          resolve();
        }, everyMs);
        signal.addEventListener('abort', () => clearInterval(timer), { once: true });
      }),
    close() {
      closed = true;
    },
  };
}
