import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection/database.ts';
import { beat, leave } from '../db/server/worker-heartbeat.ts';
import type { Log } from '../log.ts';
import type { Temporal } from '../temporal/connection/client.ts';
import { watchTemporal } from './temporal-watch.ts';

export interface BeatDeps {
  database: Database;
  temporal: Temporal;
  log: Log;
}

const beatMs = 500;

/**
 * Writes the worker's heartbeat to `workers.seen_at`, for `worker-watch.ts`. A worker that Temporal does not answer gets no
 * work, and writes none. Resolves after the first beat, with a function that ends it.
 */
export async function startHeartbeat({ database, temporal, log }: BeatDeps): Promise<() => Promise<void>> {
  const workerId = randomUUID();
  let heard = true;
  const server = watchTemporal(temporal);
  const say = async () => {
    if (server.isUnavailable()) return;
    try {
      await beat(database, workerId, temporal.taskQueue);
      heard = true;
    } catch (error) {
      if (heard) log.warn({ err: error }, 'the worker could not say that it lives');
      heard = false;
    }
  };
  await say();
  // Does not wait for the answer to the last beat: a connection that fell silent holds up one beat, not all.
  const timer = setInterval(say, beatMs);
  return async () => {
    clearInterval(timer);
    server.close();
    await leave(database, workerId).catch(() => undefined);
  };
}
