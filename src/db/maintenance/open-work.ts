import type { FinalJobStatus } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { cutoffOf } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded, jobIsOpen } from '../sql/status.ts';
import { type NextPage, toParameters } from './sweep-cursors.ts';

/** A row that has not ended. */
export interface OpenRow {
  id: string;
  created_at: Date;
}

export interface OpenJobRow extends OpenRow {
  /** When it should have ended by its deadline, if that is some time ago. */
  overdue_since: Date | null;
}

/** The workflow of a job ends it within a moment, unless it has not received a change of the deadline. */
const endsWithin = "interval '10 seconds'";

const jobsSql = statement(
  'open_jobs',
  `select job_id as id, created_at,
          (select ${cutoffOf('b')} from job_budgets b
            where b.job_id = jobs.job_id and ${cutoffOf('b')} < now() - ${endsWithin}) as overdue_since
     from jobs
    where (created_at, job_id) > (:after_created_at, :after_id) and created_at <= :until and ${jobIsOpen()}
    order by created_at, job_id limit :limit`,
);

const deliveriesSql = statement(
  'pending_deliveries',
  `select delivery_id as id, created_at from webhook_deliveries
    where (created_at, delivery_id) > (:after_created_at, :after_id) and created_at <= :until and status = 'pending' and started_at is not null
    order by created_at, delivery_id limit :limit`,
);

export const listOpenJobs = (database: Database, page: NextPage): Promise<OpenJobRow[]> =>
  database.query<OpenJobRow>(jobsSql, toParameters(page));

/** Lists pending deliveries without those that wait to be started, as a redelivery does once more. */
export const listPendingDeliveries = (database: Database, page: NextPage): Promise<OpenRow[]> =>
  database.query<OpenRow>(deliveriesSql, toParameters(page));

export interface OrphanedCall {
  call_id: string;
  job_status: FinalJobStatus;
}

/** A call that came while its job was being settled is refused by the job's workflow, some milliseconds later. */
const orphanedSql = statement(
  'orphaned_calls',
  `select c.call_id, j.status as job_status from calls c join jobs j on j.job_id = c.job_id
    where c.finished_at is null and ${jobHasEnded('j.status')} and j.completed_at < now() - interval '10 seconds'
    limit :at_most`,
);

/** Calls that have not ended although their job has. */
export const listOrphanedCalls = (database: Database, atMost: number): Promise<OrphanedCall[]> =>
  database.query<OrphanedCall>(orphanedSql, { at_most: atMost });
