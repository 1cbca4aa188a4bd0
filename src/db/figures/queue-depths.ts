import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

interface CallDepths {
  queued_calls: number;
  running_calls: number;
}

export interface QueueDepths extends CallDepths {
  waiting_deliveries: number;
  /** Null: none waits. */
  oldest_queued_seconds: number | null;
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

const oldestQueued = `(select round(extract(epoch from now() - min(created_at)), 1)::float from calls
    where finished_at is null and status = 'queued')`;

/** Columns by the indexes of unfinished calls and open jobs. */
export const depths = `
  ${callDepths}, (select count(*) from jobs where ${jobIsOpen()}) as open_jobs,
  ${oldestQueued} as oldest_queued_seconds`;

const sql = statement(
  'queue_depths',
  `select ${callDepths}, ${waitingDeliveries} as waiting_deliveries, ${oldestQueued} as oldest_queued_seconds`,
);

/** Metrics read it some times a minute, on a connection that calls never take: the figures are needed most while all others are taken. */
export async function queueDepths(database: Database): Promise<QueueDepths> {
  const [row] = await database.reserved<QueueDepths>(sql);
  return row!;
}
