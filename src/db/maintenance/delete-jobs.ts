import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/**
 * Jobs whose end is so old, the oldest first. Their calls have to be in the sums by hour, which a roll-up adds them to. Sums by day,
 * credit transactions, balances and audit entries refer to a job by its id only, and stay.
 */
const old = `
  old as (
    select job_id from jobs
     where completed_at < least(now() - make_interval(days => :days),
                                (select done_until from sweep_cursors where name = 'hourly calls'))
     order by completed_at limit :jobs_at_once
  )`;

const callsSql = statement(
  'delete_calls_of_old_jobs',
  `with ${old}, ended as (
     select call_id from calls where job_id in (select job_id from old) limit :calls_at_once
   ), attempts as (delete from call_attempts where call_id in (select call_id from ended)
   ), payloads as (delete from call_payloads where call_id in (select call_id from ended)
   ), abandoned as (delete from abandoned_calls where call_id in (select call_id from ended)
   )
   delete from calls where call_id in (select call_id from ended) returning call_id`,
);

const jobsSql = statement(
  'delete_old_jobs',
  `with ${old}, without_calls as (
     select job_id from old where not exists (select from calls where calls.job_id = old.job_id)
   ), deliveries as (
     delete from webhook_deliveries where job_id in (select job_id from without_calls) and status <> 'pending'
   )
   delete from jobs where job_id in (select job_id from without_calls) returning job_id`,
);

/** A call has about ten rows and entries of indexes. */
const atOnce = { jobs_at_once: 500, calls_at_once: 5_000 };

/**
 * Deletes the jobs that ended before so many days, with their calls, the texts and attempts of these, and their deliveries that have
 * ended. A job with many calls loses them first, in several statements. Returns how many jobs.
 */
export async function deleteOldJobs(
  database: Database,
  days: number,
  afterBatch: () => void,
  { jobs_at_once, calls_at_once } = atOnce,
): Promise<number> {
  for (let deleted = 0; ; afterBatch()) {
    const calls = await database.query(callsSql, { days, jobs_at_once, calls_at_once });
    if (calls.length === calls_at_once) continue;
    const jobs = await database.query(jobsSql, { days, jobs_at_once });
    deleted += jobs.length;
    if (jobs.length < jobs_at_once) return deleted;
  }
}
