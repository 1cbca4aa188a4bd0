import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

interface CallDepths {
  queued_calls: number;
  running_calls: number;
}

export interface QueueDepths extends CallDepths {
  waiting_deliveries: number;
}

export interface Depths extends CallDepths {
  open_jobs: number;
  /** Null: none waits. */
  oldest_queued_seconds: number | null;
}

const unfinished = (status: string): string =>
  `(select count(*) from calls where finished_at is null and status = '${status}')`;

/** The index `unfinished_calls` gives only the rows that wait, not all rows. */
const callDepths = `${unfinished('queued')} as queued_calls, ${unfinished('running')} as running_calls`;

/** Deliveries that no workflow has, by the index `deliveries_not_started`. */
export const waitingDeliveries = '(select count(*) from webhook_deliveries where started_at is null)';

/** Columns by the indexes of unfinished calls and open jobs. */
export const depths = `
  ${callDepths}, (select count(*) from jobs where ${jobIsOpen()}) as open_jobs,
  (select round(extract(epoch from now() - min(created_at)), 1)::float from calls
    where finished_at is null and status = 'queued') as oldest_queued_seconds`;

const sql = statement('queue_depths', `select ${callDepths}, ${waitingDeliveries} as waiting_deliveries`);

/** Metrics read it some times a minute, and so without a place among the reports of holders. */
export async function queueDepths(database: Database): Promise<QueueDepths> {
  const [row] = await database.query<QueueDepths>(sql);
  return row!;
}
