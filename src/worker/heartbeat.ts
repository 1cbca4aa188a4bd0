import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
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

export interface Heartbeat {
  /** No other worker of the task queue has been there for some seconds: Temporal gives this one whatever there is. */
  isAlone(): boolean;
  /** The worker shuts down. */
  close(): Promise<void>;
}

const heartbeatMs = 500;
/** What a worker that has left was given reaches it for milliseconds. */
const aloneAfterMs = 5_000;

/**
 * Writes the worker's heartbeat to `workers.seen_at`, which `watchWorkers` reads. A worker to which Temporal does not respond, or
 * whose own connection for tasks is silent, gets no work, and writes none. Resolves after the first heartbeat, when the other workers know
 * of this one.
 */
export async function startHeartbeat(
  { database, temporal, log }: HeartbeatDeps,
  isConnected: () => boolean,
): Promise<Heartbeat> {
  const workerId = randomUUID();
  let hasFailed = false;
  /** Of `performance.now()`. Undefined: another worker is there, or may be. */
  let aloneSince: number | undefined;
  const server = watchTemporal(temporal);
  const write = async () => {
    if (server.isUnavailable() || !isConnected()) return;
    try {
      const isAlone = await writeHeartbeat(database, workerId, temporal.taskQueue);
      aloneSince = isAlone ? (aloneSince ?? performance.now()) : undefined;
      hasFailed = false;
    } catch (error) {
      aloneSince = undefined;
      if (!hasFailed) log.warn({ err: error, worker_id: workerId }, 'worker: heartbeat failed');
      hasFailed = true;
    }
  };
  await write();
  // No poll, which waits for the last response: a connection that stalls delays one heartbeat, not all.
  const timer = setInterval(write, heartbeatMs);
  // The others read it with their next heartbeats.
  if (aloneSince === undefined) await pause(2 * heartbeatMs);
  return {
    isAlone: () => aloneSince !== undefined && performance.now() - aloneSince >= aloneAfterMs,
    async close() {
      clearInterval(timer);
      server.close();
      await endHeartbeat(database, workerId).catch(() => undefined);
    },
  };
}
