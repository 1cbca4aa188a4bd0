import { rereadOnce } from '../../concurrency/reread-once.ts';
import { type Database, statement } from '../connection/database.ts';
import { blocked, jobCreated, jobValues, type NewJob } from '../jobs/insert-job.ts';
import { shownValues, unchangedKey } from '../keys/find-team-by-key.ts';
import { resolution } from '../models/resolve-model.ts';
import type { ModelRefusal, NewCall } from './admit-call.ts';

export interface SingleCallAdmission {
  /** False: the caller's key has changed; then nothing was made. */
  key_holds: boolean;
  /** Null when nothing was made. */
  created_at: Date | null;
  model_group_used: string | null;
  refusal: ModelRefusal | 'insufficient_credits' | null;
  delivery_ids: string[];
}

const sql = statement(
  'admit_single_call',
  `with ${unchangedKey('$3', ['$13', '$14', '$15'])}, ${resolution('$3', '$9')}, ${blocked('$3')}, created as (
     insert into jobs (job_id, team_id, organization_id, user_id, job_type, external_task_id, metadata,
                       single_call, ends_with_call)
     select $2, $3, $4, $5, $6, $7, $8, true, true from resolved, unchanged_key
      where resolved.refusal is null and not exists (select from blocked)
     on conflict (job_id) do nothing
     returning *
   ), admitted as (
     insert into calls (call_id, job_id, team_id, requested_model, purpose, streamed,
                        model_group_used, candidates, resolved_model)
     select $1, created.job_id, $3, $9, $10, $11, resolved.model_group_used, resolved.candidates, resolved.candidates -> 0 ->> 'model'
       from created, resolved
     returning call_id
   ), payload as (
     insert into call_payloads (call_id, request) select call_id, $12 from admitted
   ), events as (${jobCreated})
   select exists (select from unchanged_key) as key_holds, coalesce(created.created_at, existing.created_at) as created_at, resolved.model_group_used,
          case when existing.job_id is not null then null
               else coalesce(resolved.refusal, (select 'insufficient_credits' from blocked)) end as refusal,
          array(select delivery_id from events) as delivery_ids
     from resolved left join created on true left join jobs existing on existing.job_id = $2`,
);

/** A job with its one call, in one statement: neither ever exists without the other. */
export async function admitSingleCall(
  database: Database,
  job: NewJob,
  call: Omit<NewCall, 'call_metadata'>,
): Promise<SingleCallAdmission> {
  const values = [
    call.call_id,
    ...jobValues(job),
    call.requested_model,
    call.purpose,
    call.streamed,
    call.request,
    ...shownValues(call.key),
  ];
  const [row] = await rereadOnce(
    () => database.query<SingleCallAdmission>(sql, values),
    ([found]) => !found!.key_holds || found!.refusal !== null || found!.created_at !== null,
  );
  return row!;
}
