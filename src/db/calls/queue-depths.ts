import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface QueueDepths {
  queued_calls: number;
  running_calls: number;
  waiting_deliveries: number;
}

/** By the indexes `unfinished_calls` and `deliveries_not_started`: reads only rows that wait, not all rows. */
const sql = statement(
  'queue_depths',
  `select count(*) filter (where status = 'queued')::int as queued_calls,
          count(*) filter (where status = 'running')::int as running_calls,
          (select count(*)::int from webhook_deliveries where started_at is null) as waiting_deliveries
     from calls where finished_at is null`,
);

/** On the connections of reports: a scrape takes none of calls. */
export async function queueDepths(database: Database): Promise<QueueDepths> {
  const [row] = await database.reports.query<QueueDepths>(sql);
  return row!;
}
