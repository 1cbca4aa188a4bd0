import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection/database.ts';
import { endHeartbeat, writeHeartbeat } from '../db/workers/worker-heartbeat.ts';
import type { Log } from '../log.ts';
import type { Temporal } from '../temporal/connection/open-temporal.ts';
import { watchTemporal } from '../temporal/connection/watch-temporal.ts';

export interface HeartbeatDeps {
  database: Database;
  temporal: Temporal;
  log: Log;
}

const heartbeatMs = 500;

/**
 * Writes the worker's heartbeat to `workers.seen_at`, which `watchWorkers` reads. A worker to which Temporal does not respond, or
 * whose own connection for tasks is silent, gets no work, and writes none. Resolves after the first heartbeat, with a function that ends them.
 */
export async function startHeartbeat(
  { database, temporal, log }: HeartbeatDeps,
  isConnected: () => boolean,
): Promise<() => Promise<void>> {
  const workerId = randomUUID();
  let hasFailed = false;
  const server = watchTemporal(temporal);
  const write = async () => {
    if (server.isUnavailable() || !isConnected()) return;
    try {
      await writeHeartbeat(database, workerId, temporal.taskQueue);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ err: error, worker_id: workerId }, 'worker: heartbeat failed');
      hasFailed = true;
    }
  };
  await write();
  // No poll, which waits for the last response: a connection that stalls delays one heartbeat, not all.
  const timer = setInterval(write, heartbeatMs);
  return async () => {
    clearInterval(timer);
    server.close();
    await endHeartbeat(database, workerId).catch(() => undefined);
  };
}
