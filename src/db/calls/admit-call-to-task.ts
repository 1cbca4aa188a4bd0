import type { Database } from '../connection/database.ts';
import {
  blocked,
  exhaustedByRefusal,
  jobCreated,
  jobValues,
  type NewJob,
  newJobColumns,
  newJobValues,
  whileCovered,
} from '../jobs/insert-job.ts';
import { type JobStartJson, jobStartColumns, toJobStartRow } from '../jobs/job-start-row.ts';
import { budgetOfJob, insertBudget, jobTermColumns, jobTerms, newJobTerms } from '../jobs/new-job-terms.ts';
import { unchangedKey } from '../keys/find-team-by-key.ts';
import { resolution } from '../models/resolve-model.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import {
  type Admission,
  callValues,
  diskOf,
  insertCall,
  insertPayload,
  type NewCall,
  recordedRequest,
  resolvedModel,
} from './admit-call-to-job.ts';
import {
  capReached,
  cutoffOfJob,
  refusalOfReservation,
  reserveInBudget,
  reserveInNewBudget,
} from './call-reservation.ts';

/** A job that takes calls of its task: `one_open_job_a_task` permits one that a call made. */
const takesTaskCalls = `external_task_id is not null and not single_call and not closing and ${jobIsOpen()}`;

type Row = Omit<Admission, 'job' | 'admitted'> & { job: JobStartJson | null };

/** `recorded`: the job of a call that was recorded before, whatever has become of it. */
const sql = statement(
  'admit_call_to_task',
  `with recorded as (
     select ${jobStartColumns} from jobs where job_id = (select c.job_id from calls c where c.call_id = :call_id)
   ), open as (
     select ${jobStartColumns} from jobs
      where team_id = :team_id and external_task_id = :external_task_id and ${takesTaskCalls}
      order by created_at desc, job_id desc limit 1
   ), ${unchangedKey}, ${resolution}, ${newJobTerms}, ${blocked}, reservation as materialized (
     select case when resolved.refusal is not null or exists (select from recorded) or not exists (select from unchanged_key) then null
                 when b.job_id is not null then ${reserveInBudget('b.job_id')}
                 when open.job_id is null and (terms.budget).job_id is not null then ${reserveInNewBudget} end as made
       from resolved left join terms on true left join open on true left join job_budgets b on b.job_id = open.job_id
   ), created as (
     insert into jobs (${newJobColumns}, ${jobTermColumns}, for_task)
     select ${newJobValues}, ${jobTerms}, true from resolved, unchanged_key, terms, reservation
      where resolved.refusal is null and not exists (select from recorded) and not exists (select from open)
        and not exists (select from blocked) and ${refusalOfReservation} is null
     on conflict do nothing
     returning *
   ), job as (
     select ${jobStartColumns} from open union all select ${jobStartColumns} from created
   ), admitted as (
     ${insertCall('job.job_id')}
       from job, resolved, unchanged_key, reservation
      where resolved.refusal is null and ${refusalOfReservation} is null
     on conflict (call_id) do nothing
     returning call_id, candidates
   ), payload as (${insertPayload}), budgets as (${insertBudget}), events as (${jobCreated}), ${capReached('open')}
   select exists (select from unchanged_key) as key_unchanged,
          coalesce((select row_to_json(recorded) from recorded),
                   (select row_to_json(job) from job where exists (select from admitted))) as job,
          exists (select from created) as created, ${resolvedModel},
          case when exists (select from recorded) then null
               else coalesce(resolved.refusal,
                             (select 'insufficient_credits' from blocked where not exists (select from open)),
                             ${refusalOfReservation}) end as refusal,
          coalesce(reservation.made,
                   (select jsonb_build_object('view', ${budgetOfJob('recorded.job_id')}) from recorded)) as reservation,
          array(select delivery_id from events union all select delivery_id from reached_events) as delivery_ids, ${recordedRequest},
          ${diskOf('(select from events union all select from reached_events) made')},
          ${exhaustedByRefusal(
            `resolved.refusal is null and exists (select from unchanged_key) and not exists (select from recorded)
            and not exists (select from open)`,
          )}
     from resolved cross join reservation`,
);

/** After the first one, another reading finds the job of whoever was first, unless that has ended meanwhile. */
const maxReadings = 4;

/**
 * A call with the job of its task in one round trip: the newest open one, or else a new one that stays open. Of many first calls
 * at once one makes the job, by the index `one_open_job_a_task`; the others wait for its row, admit nothing, and find it when
 * they read again. Undefined: the jobs of the task ended as fast as they were found.
 */
export async function admitCallToTask(database: Database, job: NewJob, call: NewCall): Promise<Admission | undefined> {
  const values = { ...callValues(database, call), ...jobValues(job) };
  for (let reading = 1; reading <= maxReadings; reading += 1) {
    const [row] = await whileCovered(() => database.query<Row>(sql, values));
    const { job: found, ...rest } = row!;
    if (found || rest.refusal || !rest.key_unchanged)
      return {
        ...rest,
        job: found && { ...toJobStartRow(found), cutoff_at: cutoffOfJob(rest) },
        admitted: found !== null,
      };
  }
  return undefined;
}
