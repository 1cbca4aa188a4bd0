import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded, jobIsOpen } from '../sql/status.ts';

/** The text that stands where an error was. */
const erased = 'erased';

/**
 * So many jobs at once, the locks of which are short. A job of a task is no longer one of a task, because it has no task. An error of a
 * call stays one, without its text.
 */
const sql = statement(
  'erase_jobs_of_user',
  `with job as (
     select job_id from jobs
      where team_id = :team_id and user_id = :user_id and ${jobHasEnded()}
      order by created_at limit :at_most for update
   ), call as (
     update calls c set purpose = null, call_metadata = null, error = case when c.error is not null then '${erased}' end
       from job where c.job_id = job.job_id
     returning c.call_id
   ), attempts as (
     update call_attempts a set error = '${erased}' from call where a.call_id = call.call_id and a.error is not null
   ), payloads as (
     delete from call_payloads p using call where p.call_id = call.call_id returning p.call_id
   ), deliveries as (
     delete from webhook_deliveries d using job where d.job_id = job.job_id
   ), gone as (
     update jobs j
        set user_id = null, external_task_id = null, for_task = false, metadata = '{}', error_message = null, cancel_reason = null
       from job where j.job_id = job.job_id
     returning j.job_id
   )
   select (select count(*)::int from gone) as jobs, (select count(*)::int from payloads) as payloads`,
);

const openSql = statement(
  'count_open_jobs_of_user',
  `select count(*)::int as open_jobs from jobs where team_id = :team_id and user_id = :user_id and ${jobIsOpen()}`,
);

/** Erases up to so many ended jobs of a user, the oldest first. Returns how many, and of how many calls the texts were deleted. */
export async function eraseJobs(
  database: Database,
  user: { team_id: string; user_id: string },
  atMost: number,
): Promise<{ jobs: number; payloads: number }> {
  const [row] = await database.query<{ jobs: number; payloads: number }>(sql, { ...user, at_most: atMost });
  return row!;
}

export async function countOpenJobs(database: Database, user: { team_id: string; user_id: string }): Promise<number> {
  const [row] = await database.query<{ open_jobs: number }>(openSql, user);
  return row!.open_jobs;
}
