import type { Candidate } from '../../domain/call-state.ts';
import type { JobBilling } from '../../domain/settlement-basis.ts';
import type { TraceContext } from '../../domain/trace-context.ts';
import type { Queries } from '../connection/database.ts';
import { billingColumns } from '../jobs/settlement-basis.ts';
import { msUntilCutoff } from '../sql/cutoff.ts';
import { isoTimestamp, outbox } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';
import { callMayBecome } from '../sql/status.ts';
import { withoutDisk } from '../sql/without-disk.ts';
import { adoptEarlyAttempt, insertInterrupted } from './insert-attempts.ts';

/** What the models are asked, and how. */
export interface RequestOfCall {
  call_id: string;
  job_id: string;
  team_id: string;
  /** The `X-Request-Id` of the request that made it. Null: the previous version has recorded the call. */
  request_id: string | null;
  /** The trace that its attempts continue. Null or absent: its request was not traced. */
  trace_context?: TraceContext | null;
  /** Null for an alias. */
  model_group_used: string | null;
  streamed: boolean;
  candidates: Candidate[];
  /** Null: it is long, and read by itself; or it is not stored any more. */
  request: string | null;
  /** JSON text of `CallOptions`. Null if it is long. */
  options: string | null;
  /** The bytes of the request and its options. Null: they are not stored any more. */
  request_bytes: number | null;
  /** The fields beyond the known ones that the model permits. */
  extra_fields: string[] | null;
  /** The fields that the model does not permit. */
  blocked_fields: string[] | null;
  /** The most tokens that the model may generate. */
  max_output_tokens: number | null;
  key_sealed: Buffer | null;
}

export interface CallToExecute extends RequestOfCall {
  /** Its client does not wait for its end. */
  asynchronous: boolean;
  /** False: the call is finished already, or a later attempt has it. */
  is_started: boolean;
  /** An earlier attempt sent the client a token: this one may not start over. */
  has_first_token: boolean;
  /** A client has requested that the call ends with what it has produced so far. */
  is_stop_requested: boolean;
  /** How its job is billed if that ends with the call, else null. */
  ends_job: JobBilling | null;
  /** Milliseconds until its job ends by its deadline; null without one. */
  cutoff_in_ms: number | null;
  delivery_ids: string[];
}

const startedData = `jsonb_build_object('started_at', ${isoTimestamp('started_job.started_at')})`;

/** A longer request is held in a worker only while it is read and sent: `read-request.ts`. */
const maxShortBytes = 262_144;

const requestBytes = 'octet_length(p.request) + coalesce(octet_length(p.options), 0)';

/** The request, the key to send it with, and until when. The length of a stored text is found without reading the text. */
const requestColumns = `case when not :has_request::boolean and ${requestBytes} <= ${maxShortBytes} then p.request end as request,
          case when not :has_request::boolean and octet_length(p.options) <= ${maxShortBytes} then p.options end as options, ${requestBytes} as request_bytes,
          p.extra_fields, p.blocked_fields, p.max_output_tokens, k.key_sealed,
          ${msUntilCutoff('b')} as cutoff_in_ms`;
const requestTables = (call: string) => `
     left join call_payloads p on p.call_id = ${call}.call_id
     left join virtual_keys k on k.team_id = ${call}.team_id and k.expires_at is null
     left join job_budgets b on b.job_id = ${call}.job_id`;

/**
 * Most calls belong to a job that is in progress and has used their model group before: only the call changes. Its commit does
 * not wait for the log to reach the disk, which would take as long again. If the server crashes before that, the call is queued
 * again, and the statements that mark its first token or end it treat it as started.
 */
const callSql = statement(
  'start_call',
  `with started as (
     update calls c set status = 'running', worker_attempt = 1, started_at = now()
       from jobs j
      where c.call_id = :call_id and c.status = 'queued' and j.job_id = c.job_id and j.status = 'in_progress'
        and (c.model_group_used is null or c.model_group_used = any (j.model_groups_used))
     returning c.call_id, c.job_id, c.team_id, c.request_id, c.trace_context, c.model_group_used, c.streamed, c.asynchronous, c.candidates,
               c.stop_requested_at is not null as is_stop_requested
   ), ${adoptEarlyAttempt}
   select started.*, ${requestColumns}, ${withoutDisk}
     from started ${requestTables('started')}`,
);

const callAndJobSql = statement(
  'start_call_and_job',
  `with call as (
     select * from calls where call_id = :call_id for update
   ), started as (
     update calls c set status = 'running', worker_attempt = :worker_attempt, started_at = coalesce(c.started_at, now())
       from call
      where c.call_id = call.call_id and ${callMayBecome(['running'], 'call.status')} and call.worker_attempt < :worker_attempt
     returning c.call_id
   ), ${adoptEarlyAttempt}, interrupted as (${insertInterrupted('call', 'the worker died', `call.status = 'running' and exists (select from started)`)}
   ), waiting as (
     select j.job_id, j.status, call.model_group_used
       from call join started on true join jobs j on j.job_id = call.job_id
      where j.status = 'pending'
         or (j.status = 'in_progress' and call.model_group_used is not null
             and not call.model_group_used = any (j.model_groups_used))
        for update of j
   ), job as (
     update jobs j
        set status = 'in_progress', started_at = coalesce(j.started_at, :job_started_at),
            model_groups_used = case when waiting.model_group_used is null or waiting.model_group_used = any (j.model_groups_used)
                                     then j.model_groups_used else array_append(j.model_groups_used, waiting.model_group_used) end
       from waiting where j.job_id = waiting.job_id
     returning j.*, waiting.status as status_before
   ), started_job as (
     select * from job where status_before = 'pending'
   ), events as (${outbox('started_job', "'job.started'", startedData)})
   select call.call_id, call.job_id, call.team_id, call.request_id, call.trace_context, call.model_group_used, call.streamed, call.asynchronous, call.candidates,
          call.first_token_at is not null as has_first_token, call.stop_requested_at is not null as is_stop_requested,
          exists (select from started) as is_started,
          case when ending.job_id is not null then (select to_json(billing) from (select ${billingColumns('ending', 't')}) billing) end as ends_job,
          ${requestColumns}, array(select delivery_id from events) as delivery_ids
     from call ${requestTables('call')}
     left join jobs ending on ending.job_id = call.job_id and ending.ends_with_call
     left join teams t on t.team_id = ending.team_id`,
);

/** One attempt of a worker at the call, and what its input contains about the job. */
export interface CallStart {
  workerAttempt: number;
  /** The job may be pending: then it is set in progress as of `jobStartedAt`. */
  startsJob: boolean;
  jobStartedAt: Date;
  /** The request was sent early: its texts are not read, and its attempt is this one. */
  hasRequest?: boolean;
}

/** Starts the first attempt at a call and leaves its job as it is. Undefined: the job has to change too, or the call has been started. */
async function startCallOnly(
  database: Queries,
  call: { call_id: string; has_request: boolean },
): Promise<CallToExecute | undefined> {
  const [started] = await database.query<CallToExecute>(callSql, call);
  return started && { ...started, is_started: true, has_first_token: false, ends_job: null, delivery_ids: [] };
}

/**
 * Starts the call before anything of its answer is shown: sets it running and its job in progress, records an earlier attempt whose
 * worker died as `interrupted`, and returns the request. One round trip, two when the job turns out to need a change.
 */
export async function startCall(
  database: Queries,
  callId: string,
  { workerAttempt, startsJob, jobStartedAt, hasRequest = false }: CallStart,
): Promise<CallToExecute | undefined> {
  const call = { call_id: callId, has_request: hasRequest };
  const started = workerAttempt === 1 && !startsJob ? await startCallOnly(database, call) : undefined;
  if (started) return started;
  const [row] = await database.query<CallToExecute>(callAndJobSql, {
    ...call,
    worker_attempt: workerAttempt,
    job_started_at: jobStartedAt,
  });
  return row;
}
