import type { CallFailure } from '../../domain/call-failure.ts';
import type { CallStatus } from '../../domain/call-state.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callWasMade } from '../sql/status.ts';

/** The record of a call that has ended. Costs are exact decimals, USD. */
export interface CallRow {
  call_id: string;
  status: CallStatus;
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
  failure: CallFailure | null;
  created_at: Date;
}

const ofJob = `
  select call_id, status, purpose, model_group_used, resolved_model, model_used, prompt_tokens, completion_tokens,
         total_tokens, cost_usd, latency_ms, error, failure, created_at
    from calls where job_id = :job_id and ${callWasMade()} order by position`;
const sql = statement('list_call_costs', ofJob);
const firstSql = statement('list_first_call_costs', `${ofJob} limit :most`);

/** The calls of a job that have ended, in the order in which they were made. */
export const listCallCosts = (database: Database, jobId: string): Promise<CallRow[]> =>
  database.reports.query<CallRow>(sql, { job_id: jobId });

/** The first of them. For the answers about the end of a job, which do not wait behind lists. */
export const listFirstCallCosts = (database: Database, jobId: string, most: number): Promise<CallRow[]> =>
  database.query<CallRow>(firstSql, { job_id: jobId, most });
