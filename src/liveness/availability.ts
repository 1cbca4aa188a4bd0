import { poll } from '../concurrency/poll.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { unavailableAfterMs, workerSilenceMs } from '../db/workers/worker-heartbeat.ts';
import { Unavailable } from '../errors.ts';
import type { Temporal } from '../temporal/connection/client.ts';

/** Whether Temporal responds, for requests that wait for something that happens much later. */
export interface TemporalWatch {
  /** The last request got no response within 2 s. */
  isUnavailable(): boolean;
  close(): void;
}

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

/** What a command needs: Temporal to accept it, and a worker to execute it. */
export interface Availability {
  temporal: Pick<TemporalWatch, 'isUnavailable'>;
  workers: Pick<WorkerWatch, 'isUnavailable' | 'isGone'>;
}

/** For a worker, which does not check: it is a worker itself. */
export const alwaysAvailable: Availability = {
  temporal: { isUnavailable: () => false },
  workers: { isUnavailable: () => false, isGone: () => false },
};

/** `spec 1.8` promises a 503 within 3 s, and the next request starts half a second after the last response. */
const temporalTimeoutMs = 2_000;

export function watchTemporal(temporal: Temporal): TemporalWatch {
  let isUnavailable = false;
  const polling = poll(async () => {
    isUnavailable = !(await temporal.isReachable(temporalTimeoutMs));
  });
  return { isUnavailable: () => isUnavailable, close: () => void polling.close() };
}

/** A restarted worker continues the work of its predecessor. */
const goneAfterMs = 15_000;

const databaseTimeoutMs = 1_000;

/** Resolves after the first read: until then no request must be accepted. */
export async function watchWorkers(database: Database, taskQueue: string): Promise<WorkerWatch> {
  // Until the first response: a database that was never migrated gives none.
  let isUnavailable = true;
  let isGone = false;
  let lastSeenAt = Number.NEGATIVE_INFINITY;
  const polling = poll(async () => {
    const silentMs = await withTimeout(workerSilenceMs(database, taskQueue), databaseTimeoutMs).catch(() => undefined);
    const now = performance.now();
    // An outage of PostgreSQL is reported elsewhere, and is no evidence about the workers.
    if (silentMs === undefined) {
      lastSeenAt = now;
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

const checkMs = 500;

/**
 * Waits for `work`, which may take as long as the job. Throws `Unavailable` when Temporal is unavailable or `isWithoutWorkers`;
 * both are checked twice a second. Rejects with the reason of `left` when that aborts. `work` gets a signal that aborts when the wait
 * has ended.
 */
export async function waitWhileAvailable<T>(
  { temporal }: Availability,
  isWithoutWorkers: () => boolean,
  work: (signal: AbortSignal) => Promise<T>,
  left?: AbortSignal,
): Promise<T> {
  left?.throwIfAborted();
  const ending = new AbortController();
  const response = work(ending.signal);
  const interruption = new Promise<never>((_, reject) => {
    const timer = setInterval(() => {
      if (temporal.isUnavailable()) reject(new Unavailable('temporal'));
      if (isWithoutWorkers()) reject(new Unavailable('worker'));
    }, checkMs);
    const leave = () => reject(left!.reason);
    left?.addEventListener('abort', leave, { once: true });
    ending.signal.addEventListener('abort', () => {
      clearInterval(timer);
      left?.removeEventListener('abort', leave);
    });
  });
  try {
    return await Promise.race([response, interruption]);
  } finally {
    ending.abort();
    interruption.catch(() => undefined);
    response.catch(() => undefined);
  }
}
