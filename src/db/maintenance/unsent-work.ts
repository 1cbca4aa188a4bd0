import type { EndJob } from '../../domain/end-job.ts';
import type { Database } from '../connection/database.ts';
import { type JobStartRow, jobStartColumns } from '../jobs/job-start-row.ts';
import { readOldestTransaction } from '../sql/database-clock.ts';
import { statement } from '../sql/statement.ts';
import type { Place } from './sweep-cursors.ts';

/** A process may die between recording something and signalling it. Rows younger than this may still be about to be signalled. */
const settledAfterMs = 10_000;

export interface UnsentCall {
  call_id: string;
  model_group_used: string | null;
  /** The job is a single-call job and was created with this call. */
  opens_job: boolean;
  end_job: EndJob | null;
  created_at: Date;
  job: JobStartRow;
}

/** A job in progress has a workflow, because that had a call begun. */
const jobsSql = statement(
  'unsent_jobs',
  `select ${jobStartColumns} from jobs
    where (created_at, job_id) > (:after_created_at, :after_id) and created_at <= :until and status = 'pending'
    order by created_at, job_id limit :limit`,
);

const callsSql = statement(
  'unsent_calls',
  `select c.call_id, c.model_group_used, c.created_at, c.job_id, c.end_job,
          c.position = (select min(earliest.position) from calls earliest where earliest.job_id = c.job_id) as is_first
     from calls c
    where (c.created_at, c.call_id) > (:after_created_at, :after_id) and c.created_at <= :until and c.status = 'queued' and c.finished_at is null
    order by c.created_at, c.call_id limit :limit`,
);

const factsSql = statement('job_facts', `select ${jobStartColumns} from jobs where job_id = any (:job_ids)`);

/** How far a sweep may look, and how far its cursor may advance. By PostgreSQL's clock, like the records. */
export interface Reach {
  /** What was recorded until then and is not sent will not be sent by the process that recorded it. */
  until: Date;
  /**
   * Up to here every transaction has ended, so no row can still appear. A long transaction keeps this time back, but does not
   * stop the search.
   */
  complete: Date;
}

export async function readReach(database: Database): Promise<Reach> {
  const { now, since } = await readOldestTransaction(database);
  const until = now.getTime() - settledAfterMs;
  // A row has the time at which its transaction began.
  return { until: new Date(until), complete: new Date(Math.min(until, since.getTime() - 1)) };
}

/** Rows created after a place and until a time, oldest first, at most `limit`. */
export interface NextPage {
  after: Place;
  until: Date;
  limit: number;
}

const parametersOf = ({ after, until, limit }: NextPage) => ({
  after_created_at: after.created_at,
  after_id: after.id,
  until,
  limit,
});

/** Jobs without a begun call. */
export const listPendingJobs = (database: Database, page: NextPage): Promise<JobStartRow[]> =>
  database.query<JobStartRow>(jobsSql, parametersOf(page));

type QueuedCall = Omit<UnsentCall, 'job' | 'opens_job'> & { job_id: string; is_first: boolean };

/** Calls that no worker has begun. */
export async function listQueuedCalls(database: Database, page: NextPage): Promise<UnsentCall[]> {
  const calls = await database.query<QueuedCall>(callsSql, parametersOf(page));
  const jobs = await database.query<JobStartRow>(factsSql, { job_ids: calls.map((call) => call.job_id) });
  const byId = new Map(jobs.map((job) => [job.job_id, job]));
  return calls.map(({ job_id, is_first, ...call }) => {
    const job = byId.get(job_id)!;
    return { ...call, job, opens_job: is_first && job.single_call };
  });
}
