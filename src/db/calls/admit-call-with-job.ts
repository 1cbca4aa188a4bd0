import { rereadOnce } from '../../concurrency/reread-once.ts';
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
import { newJobStartRow } from '../jobs/job-start-row.ts';
import { budgetOfJob, insertBudget, jobTermColumns, jobTerms, newJobTerms } from '../jobs/new-job-terms.ts';
import { unchangedKey } from '../keys/find-team-by-key.ts';
import { resolution } from '../models/resolve-model.ts';
import { statement } from '../sql/statement.ts';
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
import { cutoffOfJob, refusalOfReservation, reserveInNewBudget } from './call-reservation.ts';

type Row = Omit<Admission, 'job' | 'created' | 'admitted'> & { created_at: Date | null };

const sql = statement(
  'admit_call_with_job',
  `with ${unchangedKey}, ${resolution}, ${newJobTerms}, ${blocked}, reservation as materialized (
     select case when resolved.refusal is null and (terms.budget).job_id is not null then ${reserveInNewBudget} end as made
       from resolved left join terms on true
   ), created as (
     insert into jobs (${newJobColumns}, ${jobTermColumns}, single_call, ends_with_call)
     select ${newJobValues}, ${jobTerms}, true, true from resolved, unchanged_key, terms, reservation
      where resolved.refusal is null and not exists (select from blocked) and ${refusalOfReservation} is null
     on conflict (job_id) do nothing
     returning *
   ), admitted as (
     ${insertCall('created.job_id')}
       from created, resolved, reservation
     returning call_id, candidates
   ), payload as (${insertPayload}), budgets as (${insertBudget}), events as (${jobCreated})
   select exists (select from unchanged_key) as key_unchanged,
          coalesce(created.created_at, existing.created_at) as created_at, ${resolvedModel},
          case when existing.job_id is not null then null
               else coalesce(resolved.refusal, (select 'insufficient_credits' from blocked), ${refusalOfReservation}) end as refusal,
          case when existing.job_id is null then reservation.made
               else jsonb_build_object('view', ${budgetOfJob('existing.job_id')}) end as reservation,
          array(select delivery_id from events) as delivery_ids, ${recordedRequest}, ${diskOf('events')},
          ${exhaustedByRefusal('existing.job_id is null and resolved.refusal is null and exists (select from unchanged_key)')}
     from resolved cross join reservation left join created on true left join jobs existing on existing.job_id = :job_id`,
);

/**
 * A job with its one call, in one statement: neither ever exists without the other. A repetition finds both, as if it had created
 * them.
 */
export async function admitCallWithJob(database: Database, newJob: NewJob, call: NewCall): Promise<Admission> {
  const values = { ...callValues(database, call), ...jobValues(newJob) };
  const [row] = await rereadOnce(
    () => whileCovered(() => database.query<Row>(sql, values)),
    ([found]) => !found!.key_unchanged || found!.refusal !== null || found!.created_at !== null,
  );
  const { created_at, ...rest } = row!;
  const job = created_at && newJobStartRow({ ...newJob, created_at, single_call: true, cutoff_at: cutoffOfJob(rest) });
  return { ...rest, job, created: job !== null, admitted: job !== null };
}
