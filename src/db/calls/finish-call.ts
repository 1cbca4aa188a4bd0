import type { CallFailure } from '../../domain/call-failure.ts';
import { callError } from '../../domain/call-state.ts';
import type { Queries } from '../connection/database.ts';
import { isPastCutoff } from '../sql/cutoff.ts';
import { type Statement, statement, type Values } from '../sql/statement.ts';
import { repairLostStart, writableByAttempt } from '../sql/status.ts';
import { callEvents } from './call-events.ts';
import { costSoFar, insertAttempts, type ModelAttempt, replaceInterrupted } from './insert-attempts.ts';
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

/** A call that was aborted ends by the deadline of its job if that is over, and else because it was cancelled. */
const recordedError = `case when :error = '${callError.cancelled}' and ${isPastCutoff('calls.job_id')}
                                 then '${callError.deadline}' else :error end`;

const usage = `model_used = :model_used, prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
                      total_tokens = :total_tokens, cached_tokens = :cached_tokens, cache_write_tokens = :cache_write_tokens,
                      reasoning_tokens = :reasoning_tokens,
                      latency_ms = :latency_ms, estimated_cost_usd = :estimated_cost_usd`;

/** Of this attempt, and of those that were cut off before it. */
export const isUnknown = {
  tokens: `:tokens_unknown or ${wasCutOff('finished.call_id')}`,
  cost: `:cost_unknown or ${wasCutOff('finished.call_id')}`,
};

/** The parts of a statement that ends a call: `finished` is the call as it is recorded, or empty where another attempt has it. */
const finishing = `
   finished as (
     update calls set status = :status, ${usage}, cost_usd = :cost_usd + ${costSoFar},
                      finish_reason = :finish_reason, has_tool_calls = :has_tool_calls, error = ${recordedError}, failure = :failure,
                      context_figures = :context_figures::jsonb,
                      finished_at = now(), recorded_at = now(),
                      ${repairLostStart}
      where call_id = :call_id and ${writableByAttempt}
     returning *
   ), attempts as (${insertAttempts('finished')}
   ), payload as (
     update call_payloads p
        set response = coalesce(:response, p.response), request = coalesce(:kept_request, p.request),
            options = coalesce(:kept_options, p.options), has_data_urls = false
       from finished
      where p.call_id = finished.call_id
        and (:response::text is not null or :kept_request::text is not null or :kept_options::text is not null)
   )`;

/** The statement that finishes a call. Most calls are not asynchronous, and theirs is prepared without events. */
export interface FinishStatement {
  plain: Statement;
  asynchronous: Statement;
}

/** `parts`: what the statement does with the call in `finished`. `result`: what it returns besides a `FinishedRow`, and from where. */
export const finishStatement = (name: string, parts: string, result: string): FinishStatement => ({
  plain: statement(
    name,
    `with ${finishing}, ${parts} select finished.error, array[]::uuid[] as call_delivery_ids${result}`,
  ),
  asynchronous: statement(
    `${name}_asynchronous`,
    `with ${finishing}, ${callEvents('finished')}, ${parts}
   select finished.error, array(select delivery_id from call_events) as call_delivery_ids${result}`,
  ),
});

/** What each of these statements returns, unless another attempt has the call. */
export interface FinishedRow {
  /** As it is recorded. */
  error: string | null;
  /** Of the events of an asynchronous call. */
  call_delivery_ids: string[];
}

/**
 * A call that was ended in its record while an attempt was running keeps the requests, tokens and cost of that attempt, unless its job
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
   ) ${insertAttempts('late')} ${replaceInterrupted}`,
);

/**
 * Writes the result of a call, and what its statement does with it. Guarded by the attempt: a worker that was considered dead and
 * continues finishes nothing, and gets undefined. Repairs a start that was lost in a crash of PostgreSQL (start-call.ts).
 */
export async function finishBy<Row extends FinishedRow>(
  database: Queries,
  statements: FinishStatement,
  call: FinishedCall,
  further: Values,
): Promise<Row | undefined> {
  const { status, finish_reason, has_tool_calls, error, failure, tokens_unknown, cost_unknown, ...rest } = call;
  const { asynchronous, context_figures = null, response, kept_request, kept_options, ...attempted } = rest;
  const late = { ...attempted, attempts: JSON.stringify(call.attempts) };
  const result = { status, finish_reason, has_tool_calls, error, failure, tokens_unknown, cost_unknown };
  const values = { ...late, ...result, context_figures, response, kept_request, kept_options, ...further };
  const [row] = await database.query<Row>(asynchronous ? statements.asynchronous : statements.plain, values);
  if (!row) await database.query(lateSql, late);
  return row;
}

const finishSql = finishStatement('finish_call', `recorded as (${addToJob('finished', isUnknown)})`, ' from finished');

/** Writes the result of a call and what it adds to its job, in one statement. Undefined: another attempt has the call. */
export const finishCall = (database: Queries, call: FinishedCall): Promise<FinishedRow | undefined> =>
  finishBy(database, finishSql, call, {});
