import type { AttemptFailure } from '../../domain/call-failure.ts';
import type { AttemptOutcome } from '../../domain/call-state.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { writableByAttempt } from '../sql/status.ts';
import { withoutDisk } from '../sql/without-disk.ts';

/** One request to one model. Costs are exact decimals in USD. */
export interface ModelAttempt extends Partial<Estimate>, AttemptFailure {
  model: string;
  outcome: AttemptOutcome;
  error: string | null;
  latency_ms: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: string;
}

/** What an aborted request took, which nobody reports. Null in the record where nothing is estimated. `spec 21.10` */
export interface Estimate {
  estimated_prompt_tokens: number;
  estimated_completion_tokens: number;
  estimated_cost_usd: string;
}

const estimates = ['estimated_prompt_tokens', 'estimated_completion_tokens', 'estimated_cost_usd'];
const failures = ['failure', 'status_code', 'error_code'];
const optional = [...estimates, ...failures];

const attemptColumns = [
  'model',
  'outcome',
  'error',
  'latency_ms',
  'prompt_tokens',
  'completion_tokens',
  'cost_usd',
  ...optional,
];

/** Inserts the attempts in `:attempts`, JSON, for the call of a common table expression, after those of earlier worker attempts. */
export const insertAttempts = (call: string): string => `
     insert into call_attempts (call_id, attempt_number, worker_attempt, ${attemptColumns.join(', ')})
     select ${call}.call_id, earlier.attempts + a.position, :worker_attempt, ${attemptColumns.map((column) => `a.${column}`).join(', ')}
       from ${call},
            (select count(*) as attempts from call_attempts
              where call_id = :call_id and worker_attempt < :worker_attempt) earlier,
            rows from (json_to_recordset(:attempts) as (model text, outcome text, error text, latency_ms int,
                                                          prompt_tokens int, completion_tokens int, cost_usd numeric,
                                                          estimated_prompt_tokens int, estimated_completion_tokens int,
                                                          estimated_cost_usd numeric, failure text, status_code int,
                                                          error_code text))
            with ordinality as a (${attemptColumns.join(', ')}, position)`;

/** Follows `insertAttempts`: a request that was recorded as interrupted, and has ended after all, is recorded as it ended. */
export const replaceInterrupted = `
     on conflict (call_id, attempt_number) do update set ${attemptColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
      where call_attempts.outcome = 'interrupted' and call_attempts.worker_attempt = excluded.worker_attempt`;

/** The cost of the attempts that are recorded already. */
export const costSoFar = '(select coalesce(sum(cost_usd), 0) from call_attempts where call_id = :call_id)';

/**
 * Inserts an interrupted attempt for the call of a common table expression: a request whose response nobody will receive. Does nothing
 * where the last worker attempt has recorded its requests.
 */
export const insertInterrupted = (call: string, error: string, condition: string): string => `
     insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error)
     select ${call}.call_id, (select count(*) + 1 from call_attempts a where a.call_id = ${call}.call_id),
            ${call}.worker_attempt, ${call}.resolved_model, 'interrupted', '${error}'
       from ${call}
      where ${condition}
        and not exists (select from call_attempts a where a.call_id = ${call}.call_id and a.worker_attempt = ${call}.worker_attempt)
     on conflict do nothing`;

const sql = statement(
  'insert_interrupted_attempts',
  `with call as (
     select call_id from calls where call_id = :call_id and ${writableByAttempt} for update
   ) ${insertAttempts('call')}
   on conflict do nothing`,
);

/** Records the requests of a worker attempt that leaves the call to another one. Idempotent, because each has its number. */
export const insertInterruptedAttempts = (
  database: Database,
  callId: string,
  workerAttempt: number,
  attempts: readonly ModelAttempt[],
) => database.query(sql, { call_id: callId, worker_attempt: workerAttempt, attempts: JSON.stringify(attempts) });

const earlySql = statement(
  'insert_early_attempt',
  `with early as (
     insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error)
     select call_id, 0, 0, resolved_model, 'interrupted', 'the worker was not given the call' from calls
      where call_id = :call_id and status = 'queued'
     on conflict do nothing
     returning call_id
   )
   select exists (select from early) as is_recorded, ${withoutDisk}`,
);

/**
 * Records the request of a speculative start before it is sent, as interrupted until the worker is given the call: it may die before. False:
 * the call is not queued any more, or another worker sends its request. The number is that of no other attempt.
 */
export async function insertEarlyAttempt(database: Database, callId: string): Promise<boolean> {
  const [row] = await database.query<{ is_recorded: boolean }>(earlySql, { call_id: callId });
  return row!.is_recorded;
}

/** A part of the statement that starts a call, after `started`: its request was sent early, and becomes the one of this attempt. */
export const adoptEarlyAttempt = `
  adopted as (
     delete from call_attempts a using started
      where a.call_id = started.call_id and a.attempt_number = 0 and :has_request::boolean
   )`;

const estimateSql = statement(
  'estimate_lost_attempt',
  `update call_attempts set estimated_prompt_tokens = :estimated_prompt_tokens,
          estimated_completion_tokens = :estimated_completion_tokens, estimated_cost_usd = :estimated_cost_usd
    where call_id = :call_id and outcome = 'interrupted'
      and attempt_number = (select max(attempt_number) from call_attempts where call_id = :call_id)
      and not exists (select from call_attempts where call_id = :call_id and estimated_cost_usd is not null)`,
);

/** Records what the attempt took whose worker was lost after the first token. Once for a call: later attempts at it ask no model. */
export const estimateLostAttempt = (database: Database, callId: string, estimate: Estimate) =>
  database.query(estimateSql, { call_id: callId, ...estimate });
