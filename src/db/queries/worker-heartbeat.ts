import { type Database, statement } from '../database.ts';

const beatSql = statement(
  'worker_beat',
  `insert into workers (worker_id, task_queue, seen_at) values ($1, $2, clock_timestamp())
   on conflict (worker_id) do update set seen_at = excluded.seen_at`,
);
const gapSql = statement(
  'worker_gap',
  `select extract(epoch from clock_timestamp() - max(seen_at)) * 1000 as silent_ms from workers where task_queue = $1`,
);
const leaveSql = statement(
  'worker_leave',
  `delete from workers where worker_id = $1 or seen_at < now() - interval '1 hour'`,
);

export const beat = (database: Database, workerId: string, taskQueue: string) =>
  database.query(beatSql, [workerId, taskQueue]);

export const leave = (database: Database, workerId: string) => database.query(leaveSql, [workerId]);

/** Milliseconds since any worker of the queue was heard; null when none ever was. By the database's clock alone. */
export async function workerSilenceMs(database: Database, taskQueue: string): Promise<number | null> {
  const [row] = await database.query<{ silent_ms: string | null }>(gapSql, [taskQueue]);
  return row?.silent_ms == null ? null : Number(row.silent_ms);
}
