import { factsOfOnlyCall } from '../../domain/billing-policy.ts';
import type { CallFailure } from '../../domain/call-failure.ts';
import { callError } from '../../domain/call-state.ts';
import type { SettlementBasis } from '../../domain/settlement-basis.ts';
import type { Queries } from '../connection/database.ts';
import { basisColumns } from '../jobs/settlement-basis.ts';
import { isPastCutoff } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import { repairLostStart, writableByAttempt } from '../sql/status.ts';
import { callEvents } from './call-events.ts';
import { costSoFar, insertAttempts, type ModelAttempt } from './insert-attempts.ts';
import { addToJob, wasCutOff } from './record-cost.ts';

export interface FinishedCall {
  call_id: string;
  worker_attempt: number;
  status: 'succeeded' | 'failed';
  /** Its client does not wait for its end, which is an event. */
  asynchronous: boolean;
  model_used: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: string;
  /** What an aborted attempt took, which nobody reports; 0 otherwise. */
  estimated_cost_usd: string;
  latency_ms: number;
  finish_reason: string | null;
  has_tool_calls: boolean;
  error: string | null;
  /** Null unless it failed. */
  failure: CallFailure | null;
  /** JSON text of `ContextFigures`, of a prompt that was too long. */
  context_figures?: string | null;
  attempts: ModelAttempt[];
  /** Nobody knows all of its tokens, or all of its cost. `spec 23.8` */
  tokens_unknown: boolean;
  cost_unknown: boolean;
  /** JSON text; null when the answer is empty. */
  response: string | null;
  /** The request as it is kept, JSON text; null: as it is. */
  kept_request: string | null;
  /** The same of its options. */
  kept_options: string | null;
}

export type FinishOutcome =
  | { superseded: true }
  /** `error`: as it is recorded. `basis`: what to settle the job on if it ends with this call, else null. */
  | { superseded: false; error: string | null; basis: SettlementBasis | null; delivery_ids: string[] };

/** A call that was aborted ends by the deadline of its job if that is over, and else because it was cancelled. */
const recordedError = `case when :error = '${callError.cancelled}' and ${isPastCutoff('calls.job_id')}
                                 then '${callError.deadline}' else :error end`;

const usage = `model_used = :model_used, prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
                      total_tokens = :total_tokens, cached_tokens = :cached_tokens, cache_write_tokens = :cache_write_tokens,
                      reasoning_tokens = :reasoning_tokens,
                      latency_ms = :latency_ms, estimated_cost_usd = :estimated_cost_usd`;

/** Of this attempt, and of those that were cut off before it. */
const isUnknown = {
  tokens: `:tokens_unknown or ${wasCutOff('finished.call_id')}`,
  cost: `:cost_unknown or ${wasCutOff('finished.call_id')}`,
};

/** `events`: further parts of the statement. `columns`: of its result. */
const finishing = (events = '', columns = '') => `
   with finished as (
     update calls set status = :status, ${usage}, cost_usd = :cost_usd + ${costSoFar},
                      finish_reason = :finish_reason, has_tool_calls = :has_tool_calls, error = ${recordedError}, failure = :failure,
                      context_figures = :context_figures::jsonb,
                      finished_at = now(), recorded_at = now(),
                      ${repairLostStart}
      where call_id = :call_id and ${writableByAttempt}
     returning *
   ), recorded as (${addToJob('finished', isUnknown)}
     returning j.*
   ), attempts as (${insertAttempts('finished')}
   ), payload as (
     update call_payloads p
        set response = coalesce(:response, p.response), request = coalesce(:kept_request, p.request),
            options = coalesce(:kept_options, p.options), has_data_urls = false
       from finished
      where p.call_id = finished.call_id
        and (:response::text is not null or :kept_request::text is not null or :kept_options::text is not null)
   )${events}
   select finished.error, ${basisColumns('single', 't')}${columns}
     from finished
     left join recorded single on single.ends_with_call
     left join teams t on t.team_id = single.team_id`;

const sql = statement('finish_call', finishing());
/** Most calls are not asynchronous, and their statement is prepared without the events. */
const asynchronousSql = statement(
  'finish_asynchronous_call',
  finishing(`, ${callEvents('finished')}`, ', array(select delivery_id from call_events) as delivery_ids'),
);

/**
 * A call that was ended in its record while an attempt was running keeps the tokens and the cost of that attempt, unless its job
 * has been settled: `recorded_at` is the guard.
 */
const lateSql = statement(
  'record_late_usage',
  `with late as (
     update calls set ${usage},
                      cost_usd = :cost_usd + (select coalesce(sum(cost_usd), 0) from call_attempts
                                               where call_id = :call_id and worker_attempt < :worker_attempt)
      where call_id = :call_id and status = 'failed' and recorded_at is null and worker_attempt <= :worker_attempt
     returning *
   ) ${insertAttempts('late')}
   on conflict do nothing`,
);

/** As it is recorded, with what to settle its job on. */
type RecordedCall = (Omit<SettlementBasis, 'facts'> | { budget_mode: null }) & {
  error: string | null;
  /** Of an asynchronous call. */
  delivery_ids?: string[];
};

/** A job that ends with its call has no other: nothing more has to be read. */
const withFacts = (row: Omit<SettlementBasis, 'facts'>, call: FinishedCall): SettlementBasis => {
  const hasTerms = row.price_credits !== null || row.billing_policy !== null;
  return { ...row, facts: hasTerms ? factsOfOnlyCall(call) : null };
};

/**
 * Writes the result of a call and what it adds to its job, in one statement. Guarded by the attempt: a worker that was considered
 * dead and continues finishes nothing, and gets `superseded`. Repairs a start that was lost in a crash of PostgreSQL
 * (start-call.ts).
 */
export async function finishCall(database: Queries, call: FinishedCall): Promise<FinishOutcome> {
  const { status, finish_reason, has_tool_calls, error, failure, tokens_unknown, cost_unknown, ...rest } = call;
  const { asynchronous, context_figures = null, response, kept_request, kept_options, ...attempted } = rest;
  const late = { ...attempted, attempts: JSON.stringify(call.attempts) };
  const result = { status, finish_reason, has_tool_calls, error, failure, tokens_unknown, cost_unknown };
  const values = { ...late, ...result, context_figures, response, kept_request, kept_options };
  const [row] = await database.query<RecordedCall>(asynchronous ? asynchronousSql : sql, values);
  if (row) {
    const { error: recorded, delivery_ids = [], ...basis } = row;
    const settledOn = basis.budget_mode === null ? null : withFacts(basis, call);
    return { superseded: false, error: recorded, basis: settledOn, delivery_ids };
  }
  await database.query(lateSql, late);
  return { superseded: true };
}
