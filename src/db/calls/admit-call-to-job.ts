import type { CallAgent } from '../../domain/agent.ts';
import type { Candidate } from '../../domain/call-state.ts';
import { hasLongDataUrl } from '../../domain/formats/data-urls.ts';
import type { JobEnd } from '../../domain/job-end.ts';
import type { TraceContext } from '../../domain/trace-context.ts';
import type { Database } from '../connection/database.ts';
import { type JobStartJson, type JobStartRow, jobStartColumns, toJobStartRow } from '../jobs/job-start-row.ts';
import { keyValues, type PresentedKey, unchangedKey } from '../keys/find-team-by-key.ts';
import { resolution } from '../models/resolve-model.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';
import { withoutDisk } from '../sql/without-disk.ts';
import {
  type BudgetRefusal,
  capReached,
  held,
  type Reservation,
  refusalOfReservation,
  reservedCandidates,
  reservedOutput,
  reserveInBudget,
  type ToReserve,
} from './call-reservation.ts';

/** A request in the form of its client: the conversation, and what else it has. JSON texts. */
export interface ClientRequest {
  request: string;
  input: string;
}

export interface NewCall extends ToReserve {
  call_id: string;
  job_id: string;
  /** The `X-Request-Id` of the request that made it: a repetition does not change it. `spec 14.8` */
  request_id: string;
  /** The span of its request. Absent: that is not traced. */
  trace_context?: TraceContext | null;
  team_id: string;
  /** A model group, or an alias. */
  requested_model: string;
  purpose: string | null;
  streamed: boolean;
  /** The client does not wait for its end. */
  asynchronous: boolean;
  /** What ends the job with the call. Null: nothing does. */
  end_job: JobEnd | null;
  /** The job is completed when no call has followed the last one for so many seconds. Null: the calls before decide on that. */
  turn_seconds: number | null;
  /** The agent that makes the call. Null: none is known. */
  agent: CallAgent | null;
  call_metadata: Record<string, unknown> | null;
  /** What goes upstream, without the model: JSON text. */
  request: string;
  /** JSON text of `CallOptions`; null: the defaults. */
  options: string | null;
  /** The same for equal requests, of a call that a repetition may receive; else null. `spec 18.7` */
  fingerprint: Buffer | null;
  /** Of a call of embeddings: how long its vectors are kept after its end. Null: the call is another one. */
  vectors_kept_minutes: number | null;
  /** Of a background response: how many of them the team may have that are unfinished. */
  most_unfinished?: number | null;
  /** The request in the form of the client, of a call that a later request may name. Absent: none can. */
  client_request?: ClientRequest | null;
  key: PresentedKey;
}

/** What a call has recorded of its request, beside what its client sent. */
export interface RecordedRequest {
  candidates: Candidate[];
  max_output_tokens: number | null;
  /** Of the team at the upstream, in base64. */
  key_sealed: string | null;
}

export type ModelRefusal = 'model_group_unusable' | 'model_group_denied' | 'model_group_empty';

/** What a statement that admits a call has found, and made. */
export interface Admission {
  /** False: the caller's key has changed; then nothing was admitted. */
  key_unchanged: boolean;
  /** The job of the call. Null: there is none, or none was created. */
  job: JobStartRow | null;
  /** The job was created with the call. */
  created: boolean;
  model_group_used: string | null;
  /** The fields beyond the known ones that the model permits; null if there is no model. */
  extra_fields: string[] | null;
  /** The fields that the model does not permit; null if there is no model. */
  blocked_fields: string[] | null;
  /** Null: the model has no such limit, or there is no model. */
  max_output_tokens: number | null;
  refusal: ModelRefusal | 'responses_unfinished' | 'insufficient_credits' | BudgetRefusal | 'list_needed' | null;
  /** Null: the job has no budget, or another check has refused the call. */
  reservation: Reservation | null;
  /**
   * The call is recorded, by this execution of the request or by an earlier one: a refusal does not count then. Also false when an
   * execution at the same time has just recorded it: then `refusal` is null.
   */
  admitted: boolean;
  /** Null unless this execution has recorded the call. */
  recorded: RecordedRequest | null;
  delivery_ids: string[];
  /** The refusal for want of credits has exhausted those of the team. */
  is_exhausted: boolean;
}

/**
 * The call of `callValues` in a job, with what `resolved` (`resolution`) has of its model and what `reservation` reserves; conditions and
 * `returning` follow.
 */
export const insertCall = (jobId: string): string => `
  insert into calls (call_id, job_id, request_id, trace_context, team_id, requested_model, purpose, streamed, asynchronous, call_metadata,
                     model_group_used, candidates, resolved_model, end_job, turn_seconds, agent, held_usd, held_tokens)
  select :call_id, ${jobId}, :request_id, :trace_context, :team_id, :requested_model, :purpose, :streamed, :asynchronous, :call_metadata,
         resolved.model_group_used, ${reservedCandidates}, ${reservedCandidates} -> 0 ->> 'model', :end_job, :turn_seconds::int, :agent::jsonb, ${held}`;

/** The request of the call in `admitted`. */
export const insertPayload = `
  insert into call_payloads (call_id, request, options, extra_fields, blocked_fields, max_output_tokens, has_data_urls, fingerprint,
                             awaited_by, retention_days, vectors_kept_minutes,
                             client_request, client_input)
  select call_id, :request, :options, resolved.extra_fields, resolved.blocked_fields, ${reservedOutput}, :has_data_urls,
         :fingerprint, :awaited_by, unchanged_key.payload_retention_days, :vectors_kept_minutes, :client_request,
         :client_input
    from admitted, resolved, unchanged_key, reservation`;

/** What an admission returns of the call in `admitted`: `RecordedRequest`. */
export const recordedRequest = `
  (select json_build_object('candidates', admitted.candidates, 'max_output_tokens', ${reservedOutput},
                            'key_sealed', encode(k.key_sealed, 'base64'))
     from admitted left join virtual_keys k on k.team_id = :team_id and k.expires_at is null) as recorded`;

/** What an admission returns of the model. */
export const resolvedModel = `
  resolved.model_group_used, resolved.extra_fields, resolved.blocked_fields, resolved.max_output_tokens`;

/**
 * The commit of a call that a client waits for does not wait for the log to reach the disk: nothing of the call is shown, charged or
 * promised before a later commit, which waits for the log up to there. A call that is promised, and one that makes an event, is on the
 * disk before anybody learns of it (decision 123).
 */
export const diskOf = (events: string): string => `
  case when not :asynchronous and not exists (select from ${events}) then ${withoutDisk} end`;

const sql = statement(
  'admit_call_to_job',
  `with job as (
     select ${jobStartColumns} from jobs where job_id = :job_id
   ), ${unchangedKey}, ${resolution}, reservation as materialized (
     select case when job.team_id = :team_id and ${jobIsOpen('job.status')} and resolved.refusal is null
                   and exists (select from unchanged_key) and b.job_id is not null
                 then ${reserveInBudget('b.job_id')} end as made
       from resolved left join job on true left join job_budgets b on b.job_id = job.job_id
   ), admitted as (
     ${insertCall(':job_id')}
       from job, resolved, unchanged_key, reservation
      where job.team_id = :team_id and ${jobIsOpen('job.status')} and resolved.refusal is null
        and ${refusalOfReservation} is null
     on conflict (call_id) do nothing
     returning call_id, candidates
   ), payload as (${insertPayload}), ${capReached('job')}
   select exists (select from unchanged_key) as key_unchanged, row_to_json(job) as job, ${resolvedModel},
          coalesce(resolved.refusal, ${refusalOfReservation}) as refusal, reservation.made as reservation,
          (exists (select from admitted) or exists (select from calls where call_id = :call_id)) as admitted,
          array(select delivery_id from reached_events) as delivery_ids, ${recordedRequest}, ${diskOf('reached_events')}
     from resolved cross join reservation left join job on true`,
);

/** Maintenance looks at no shorter ones: with a lower `PAYLOAD_KEEP_BYTES` they are shortened by the worker that ends the call, or not at all. */
const keptCharacters = 65_536;
const mayBeShortened = (text: string): boolean => text.length > keptCharacters || hasLongDataUrl(text);

type Row = Omit<Admission, 'job' | 'created' | 'is_exhausted'> & { job: JobStartJson | null };

/**
 * Everything about a new call in one round trip: the key, the job it belongs to, the models that may serve it, the record and
 * the request. Admitted only when the key holds, the job is the team's and open, the model resolves and the call fits into the job's
 * budget; a repeated call_id is the same call.
 */
export async function admitCallToJob(database: Database, call: NewCall): Promise<Admission> {
  const [row] = await database.query<Row>(sql, callValues(database, call));
  const { job, ...rest } = row!;
  return { ...rest, job: job && toJobStartRow(job), created: false, is_exhausted: false };
}

/** The parameters of a new call, whose client waits for this process. */
export const callValues = (
  { applicationName }: Database,
  { key, client_request, most_unfinished = null, trace_context = null, ...record }: NewCall,
) => ({
  ...record,
  most_unfinished,
  trace_context,
  awaited_by: record.fingerprint && applicationName,
  client_request: client_request?.request ?? null,
  client_input: client_request?.input ?? null,
  ...keyValues(key),
  /** Maintenance shortens the request if no worker does it when the call has ended. */
  has_data_urls: mayBeShortened(record.request) || mayBeShortened(record.options ?? ''),
});
