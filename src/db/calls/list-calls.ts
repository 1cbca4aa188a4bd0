import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callWasMade } from '../sql/status.ts';
import type { ModelAttempt } from './insert-attempts.ts';

/** The record of a call that has ended. Costs are exact decimals, USD. */
export interface CallRow {
  call_id: string;
  purpose: string | null;
  /** Null for a direct model request. */
  model_group_used: string | null;
  resolved_model: string;
  model_used: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost_usd: string;
  latency_ms: number;
  error: string | null;
  created_at: Date;
}

const sql = statement(
  'list_calls',
  `select call_id, purpose, model_group_used, resolved_model, model_used, prompt_tokens, completion_tokens,
          total_tokens, cost_usd, latency_ms, error, created_at
     from calls where job_id = :job_id and ${callWasMade()} order by position`,
);

/** The calls of a job that have ended, in the order in which they were made. */
export const listCalls = (database: Database, jobId: string): Promise<CallRow[]> =>
  database.reports.query<CallRow>(sql, { job_id: jobId });

export interface AttemptRow extends ModelAttempt {
  call_id: string;
  attempt_number: number;
  created_at: Date;
}

export const attemptColumns = `a.call_id, a.attempt_number, a.model, a.outcome, a.error, a.latency_ms, a.prompt_tokens, a.completion_tokens,
   a.cost_usd, a.created_at`;

const attemptsSql = statement(
  'list_attempts',
  `select ${attemptColumns}
     from call_attempts a join calls c on c.call_id = a.call_id
    where c.job_id = :job_id order by c.position, a.attempt_number`,
);

export const listAttempts = (database: Database, jobId: string): Promise<AttemptRow[]> =>
  database.reports.query<AttemptRow>(attemptsSql, { job_id: jobId });
