import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callIsOpen, jobIsOpen } from '../sql/status.ts';

export interface OpenJob {
  job_id: string;
  metadata: Record<string, unknown>;
  model_groups_used: string[];
  /** The calls that have not ended. */
  call_ids: string[];
}

const jobsSql = statement(
  'open_jobs_by_id',
  `select j.job_id, j.metadata, j.model_groups_used,
          array(select c.call_id from calls c
                 where c.job_id = j.job_id and ${callIsOpen('c.status')} order by c.position) as call_ids
     from jobs j where j.job_id = any (:job_ids::uuid[]) and ${jobIsOpen('j.status')}`,
);

const deliveriesSql = statement(
  'pending_deliveries_by_id',
  `select delivery_id from webhook_deliveries
    where delivery_id = any (:delivery_ids::uuid[]) and status = 'pending' and started_at is not null`,
);

/** The given jobs that have not ended. */
export const findOpenJobs = (database: Database, jobIds: readonly string[]): Promise<OpenJob[]> =>
  database.query<OpenJob>(jobsSql, { job_ids: jobIds });

/** The given deliveries that have not ended, except those that wait to be started, as a redelivery does once more. */
export const findPendingDeliveries = (database: Database, deliveryIds: readonly string[]) =>
  database.query<{ delivery_id: string }>(deliveriesSql, { delivery_ids: deliveryIds });
