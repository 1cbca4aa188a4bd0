import type { AttemptOutcome } from '../../domain/call-state.ts';
import { type Database, statement } from '../connection/database.ts';
import { basisOf, type SettlementBasis } from '../jobs/settle-job.ts';
import { repairLostBegin, writableByAttempt } from './begin-call.ts';
import { addToJob } from './record-cost.ts';

/** One request to one model. Costs are exact decimals in USD. */
export interface Attempt {
  model: string;
  outcome: AttemptOutcome;
  error: string | null;
  latency_ms: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: string;
}

export interface FinishedCall {
  call_id: string;
  worker_attempt: number;
  status: 'succeeded' | 'failed';
  model_used: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost_usd: string;
  latency_ms: number;
  finish_reason: string | null;
  error: string | null;
  attempts: Attempt[];
  /** JSON text; null when the model said nothing. */
  response: string | null;
}

export type Finish =
  | { superseded: true }
  /** `basis`: what to settle the job on if it ends with this call, else null. */
  | { superseded: false; basis: SettlementBasis | null };

/** Adds the attempts of a JSON parameter to the call of a common table expression, after the attempts of workers that had it before. */
export const insertAttempts = (call: string, workerAttempt: string, attempts: string): string => `
     insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error, latency_ms,
                                prompt_tokens, completion_tokens, cost_usd)
     select ${call}.call_id, earlier.attempts + a.place, ${workerAttempt}, a.model, a.outcome, a.error, a.latency_ms,
            a.prompt_tokens, a.completion_tokens, a.cost_usd
       from ${call},
            (select count(*) as attempts from call_attempts
              where call_id = $1 and worker_attempt < ${workerAttempt}) earlier,
            rows from (json_to_recordset(${attempts}) as (model text, outcome text, error text, latency_ms int,
                                                          prompt_tokens int, completion_tokens int, cost_usd numeric))
            with ordinality as a (model, outcome, error, latency_ms, prompt_tokens, completion_tokens, cost_usd, place)`;

/** The cost of a call's attempts that are kept already. */
export const costSoFar = '(select coalesce(sum(cost_usd), 0) from call_attempts where call_id = $1)';

const sql = statement(
  'finish_call',
  `with finished as (
     update calls set status = $3, model_used = $4, prompt_tokens = $5, completion_tokens = $6, total_tokens = $7,
                      cost_usd = $8 + ${costSoFar}, latency_ms = $9, finish_reason = $10, error = $11, finished_at = now(),
                      recorded_at = now(), ${repairLostBegin('$2')}
      where call_id = $1 and ${writableByAttempt('$2')}
     returning *
   ), recorded as (${addToJob('finished')}
     returning j.*
   ), attempts as (${insertAttempts('finished', '$2', '$12')}
   ), payload as (
     update call_payloads p set response = $13 from finished where p.call_id = finished.call_id and $13::text is not null
   )
   select finished.call_id, ${basisOf('single', 't')}
     from finished
     left join recorded single on single.ends_with_call
     left join teams t on t.team_id = single.team_id`,
);

/**
 * A call that was ended in its record while an attempt was running keeps the tokens and the cost of that attempt, unless its job
 * has been settled: `recorded_at` is the guard.
 */
const lateSql = statement(
  'record_late_usage',
  `with late as (
     update calls set model_used = $3, prompt_tokens = $4, completion_tokens = $5, total_tokens = $6,
                      cost_usd = $7 + (select coalesce(sum(cost_usd), 0) from call_attempts where call_id = $1 and worker_attempt < $2),
                      latency_ms = $8
      where call_id = $1 and status = 'failed' and recorded_at is null and worker_attempt <= $2
     returning *
   ) ${insertAttempts('late', '$2', '$9')}
   on conflict do nothing`,
);

/**
 * Writes the result of a call and what it adds to its job, in one statement. Guarded by the attempt: a worker that was taken to be
 * dead and comes back finishes nothing, and gets `superseded`. Repairs a start that was lost in a crash of PostgreSQL
 * (begin-call.ts).
 */
export async function finishCall(database: Database, call: FinishedCall): Promise<Finish> {
  const attempts = JSON.stringify(call.attempts);
  const [row] = await database.query<SettlementBasis | { budget_mode: null }>(sql, [
    call.call_id,
    call.worker_attempt,
    call.status,
    call.model_used,
    call.prompt_tokens,
    call.completion_tokens,
    call.total_tokens,
    call.cost_usd,
    call.latency_ms,
    call.finish_reason,
    call.error,
    attempts,
    call.response,
  ]);
  if (row) return { superseded: false, basis: row.budget_mode === null ? null : row };
  await database.query(lateSql, [
    call.call_id,
    call.worker_attempt,
    call.model_used,
    call.prompt_tokens,
    call.completion_tokens,
    call.total_tokens,
    call.cost_usd,
    call.latency_ms,
    attempts,
  ]);
  return { superseded: true };
}
