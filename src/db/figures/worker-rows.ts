import { isoTimestamp } from '../sql/outbox.ts';
import { unavailableAfterMs } from '../workers/worker-heartbeat.ts';

export interface WorkerRow {
  worker_id: string;
  task_queue: string;
  version: string;
  started_at: string;
  seen_at: string;
  is_live: boolean;
}

/** Workers that have shut down are marked by the epoch and are not listed. At most 200. */
export const workerRows = `
  (select coalesce(json_agg(found), '[]') from (
     select worker_id, task_queue, version, ${isoTimestamp('started_at')} as started_at, ${isoTimestamp('seen_at')} as seen_at,
            seen_at > clock_timestamp() - interval '${unavailableAfterMs} milliseconds' as is_live
       from workers where seen_at > now() - interval '1 hour' order by seen_at desc limit 200) found)`;
