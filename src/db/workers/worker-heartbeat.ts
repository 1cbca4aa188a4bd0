import { version } from '../../version.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** A worker without a heartbeat for so long is unavailable: it has missed four. */
export const unavailableAfterMs = 2_000;

const writeSql = statement(
  'write_worker_heartbeat',
  `insert into workers (worker_id, task_queue, version, seen_at) values (:worker_id, :task_queue, :version, clock_timestamp())
   on conflict (worker_id) do update set seen_at = excluded.seen_at where workers.seen_at <> 'epoch'`,
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

export const writeHeartbeat = (database: Database, workerId: string, taskQueue: string) =>
  database.reserved(writeSql, { worker_id: workerId, task_queue: taskQueue, version });

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
