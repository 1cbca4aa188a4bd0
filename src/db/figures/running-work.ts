import { isoTimestamp } from '../sql/outbox.ts';
import { jobIsOpen } from '../sql/status.ts';

export interface Depths {
  queued_calls: number;
  running_calls: number;
  open_jobs: number;
  /** Null: none waits. */
  oldest_queued_seconds: number | null;
}

const unfinished = (status: string): string =>
  `(select count(*) from calls where finished_at is null and status = '${status}')`;

/** Columns by the indexes of unfinished calls and open jobs. */
export const depths = `
  ${unfinished('queued')} as queued_calls, ${unfinished('running')} as running_calls,
  (select count(*) from jobs where ${jobIsOpen()}) as open_jobs,
  (select round(extract(epoch from now() - min(created_at)), 1)::float from calls
    where finished_at is null and status = 'queued') as oldest_queued_seconds`;

export interface WorkerRow {
  worker_id: string;
  task_queue: string;
  version: string;
  started_at: string;
  seen_at: string;
  is_live: boolean;
}

/** As `src/liveness/availability.ts` judges it. */
const liveWithin = `interval '2 seconds'`;

/** Workers that have shut down are marked by the epoch and are not listed. At most 200. */
export const workerRows = `
  (select coalesce(json_agg(found), '[]') from (
     select worker_id, task_queue, version, ${isoTimestamp('started_at')} as started_at, ${isoTimestamp('seen_at')} as seen_at,
            seen_at > clock_timestamp() - ${liveWithin} as is_live
       from workers where seen_at > now() - interval '1 hour' order by seen_at desc limit 200) found)`;
