import { version } from '../../version.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A worker without a heartbeat for so long is unavailable: it has missed four. */
export const unavailableAfterMs = 2_000;

/** A worker whose heartbeats are late may be given tasks all the same. */
const countsForSeconds = 10;

const writeSql = statement(
  'write_worker_heartbeat',
  `insert into workers (worker_id, task_queue, version, seen_at) values (:worker_id, :task_queue, :version, clock_timestamp())
   on conflict (worker_id) do update set seen_at = excluded.seen_at where workers.seen_at <> 'epoch'
   returning not exists (
     select from workers other
      where other.task_queue = :task_queue and other.worker_id <> :worker_id and other.seen_at > now() - interval '${countsForSeconds} s'
   ) as is_alone`,
);
const silenceSql = statement(
  'worker_silence',
  `select extract(epoch from clock_timestamp() - max(seen_at)) * 1000 as silent_ms from workers where task_queue = :task_queue`,
);
/**
 * Sets `seen_at` to the epoch instead of deleting the row: a missing row means that a crash of PostgreSQL emptied the table. A
 * late heartbeat does not change it back.
 */
const endSql = statement(
  'end_worker_heartbeat',
  `with outdated as (delete from workers where seen_at < now() - interval '1 hour')
   update workers set seen_at = 'epoch' where worker_id = :worker_id`,
);

/** Whether no other worker of the queue is there. */
export async function writeHeartbeat(database: Database, workerId: string, taskQueue: string): Promise<boolean> {
  const heartbeat = { worker_id: workerId, task_queue: taskQueue, version };
  const [row] = await database.reserved<{ is_alone: boolean }>(writeSql, heartbeat);
  return row?.is_alone ?? false;
}

export const endHeartbeat = (database: Database, workerId: string) =>
  database.reserved(endSql, { worker_id: workerId });

/**
 * Milliseconds since the last heartbeat of any worker of the queue; null when there was none, or when a crash of the server emptied
 * the table, which is unlogged. By the database's clock alone.
 */
export async function workerSilenceMs(database: Database, taskQueue: string): Promise<number | null> {
  const [row] = await database.reserved<{ silent_ms: string | null }>(silenceSql, { task_queue: taskQueue });
  return row?.silent_ms == null ? null : Number(row.silent_ms);
}
