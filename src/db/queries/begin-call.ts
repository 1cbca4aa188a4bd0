import type { Candidate } from '../../domain/calls.ts';
import { type Database, statement } from '../database.ts';
import { isoTimestamp, outbox } from '../outbox.ts';

export interface BegunCall {
  call_id: string;
  job_id: string;
  team_id: string;
  streamed: boolean;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'refused';
  /** False: the call is finished already, or a later attempt has it. */
  begun: boolean;
  /** An earlier attempt showed the client a token: this one may not start over. */
  shown: boolean;
  candidates: Candidate[];
  request: string | null;
  key_sealed: Buffer | null;
  delivery_ids: string[];
}

const started = `json_build_object('job_type', job.job_type, 'started_at', ${isoTimestamp('job.started_at')})`;

/**
 * The commit does not wait for the log to reach the disk, which is a third of what a begin takes, unless it tells more than
 * that the call runs. Should the server crash before, the call is queued again, and what ends it takes it for begun.
 */
const withoutFlush = (condition: string) =>
  `(select set_config('synchronous_commit', 'off', true) where ${condition}) as synchronous_commit`;

const sql = statement(
  'begin_call',
  `with call as (
     select * from calls where call_id = $1 for update
   ), begun as (
     update calls c set status = 'running', worker_attempt = $2, started_at = coalesce(c.started_at, now())
       from call
      where c.call_id = call.call_id and call.status in ('queued', 'running') and call.worker_attempt < $2
     returning c.call_id
   ), interrupted as (
     insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error)
     select call.call_id, (select count(*) + 1 from call_attempts a where a.call_id = call.call_id),
            call.worker_attempt, call.resolved_model, 'interrupted', 'the worker died'
       from call join begun on true where call.status = 'running'
   ), waiting as (
     select j.job_id, j.status, call.model_group_used
       from call join begun on true join jobs j on j.job_id = call.job_id
      where j.status = 'pending'
         or (j.status = 'in_progress' and call.model_group_used is not null and not call.model_group_used = any (j.model_groups_used))
        for update of j
   ), job as (
     update jobs j
        set status = 'in_progress', started_at = coalesce(j.started_at, $3), updated_at = greatest(j.updated_at, now()),
            model_groups_used = case when waiting.model_group_used is null or waiting.model_group_used = any (j.model_groups_used)
                                     then j.model_groups_used else array_append(j.model_groups_used, waiting.model_group_used) end
       from waiting where j.job_id = waiting.job_id
     returning j.*, waiting.status as status_before
   ), starting as (
     select * from job where status_before = 'pending'
   ), events as (${outbox('starting', "'job.started'", started.replaceAll('job.', 'starting.'))})
   select call.call_id, call.job_id, call.team_id, call.streamed, call.status, call.candidates,
          call.first_token_at is not null as shown, exists (select from begun) as begun,
          p.request, k.key_sealed, array(select delivery_id from events) as delivery_ids,
          ${withoutFlush('$2 = 1 and not exists (select from job)')}
     from call
     left join call_payloads p on p.call_id = call.call_id
     left join virtual_keys k on k.team_id = call.team_id and k.expires_at is null`,
);

/**
 * One round trip before the upstream is asked: the call is running and its job in progress, an earlier attempt that died
 * is kept as one, and what has to be asked comes back. `jobStartedAt` counts for the first call of a job only.
 */
export async function beginCall(
  database: Database,
  callId: string,
  workerAttempt: number,
  jobStartedAt: Date,
): Promise<BegunCall | undefined> {
  const [row] = await database.query<BegunCall>(sql, [callId, workerAttempt, jobStartedAt]);
  return row;
}
