import type { BudgetMode } from '../../domain/credits.ts';
import type { JobEnder } from '../../domain/job-state.ts';
import type { RecordedTerms } from '../../domain/settlement-basis.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { factsOf } from './settlement-basis.ts';

/** What a job was charged by, as recorded with its end, and how its team is billed now. Rates are exact decimals. */
export interface ChargeRow extends RecordedTerms {
  single_call: boolean;
  cancel_reason: string | null;
  ended_by: JobEnder | null;
  /** Null: the job is open, or was free whatever its team was billed by. */
  budget_mode: BudgetMode | null;
  credit_rate: string | null;
  credit_limit: number | null;
  team_budget_mode: BudgetMode;
  team_tokens_per_credit: number | null;
  team_credits_per_dollar: string | null;
  team_credits_remaining: number;
  team_credits_held: number;
  team_credit_limit: number | null;
  /** E-mail of the admin who cancelled the job; null where nobody is known. */
  cancelled_by: string | null;
  first_failed_call: { call_id: string; position: number; purpose: string | null } | null;
}

const sql = statement(
  'read_charge',
  `select j.single_call, j.cancel_reason, j.ended_by, j.budget_mode, j.credit_rate, j.credit_limit,
          j.price_credits, j.billing_policy, ${factsOf('j')} as facts, t.budget_mode as team_budget_mode,
          t.tokens_per_credit as team_tokens_per_credit, t.credits_per_dollar as team_credits_per_dollar,
          a.credits_remaining as team_credits_remaining, a.credits_held as team_credits_held, a.credit_limit as team_credit_limit,
          (select u.email from audit_log e join admin_users u on u.user_id = e.user_id
            where e.resource_type = 'job' and e.resource_id = j.job_id::text and e.action = 'cancelled_job'
            order by e.position limit 1) as cancelled_by,
          (select json_build_object('call_id', n.call_id, 'position', n.position_in_job, 'purpose', n.purpose)
             from (select call_id, purpose, status, row_number() over (order by position) as position_in_job from calls where job_id = j.job_id) n
            where j.failed_calls > 0 and n.status = 'failed' order by n.position_in_job limit 1) as first_failed_call
     from jobs j join teams t on t.team_id = j.team_id join credit_accounts a on a.team_id = j.team_id
    where j.job_id = :job_id`,
);

export async function readCharge(database: Database, jobId: string): Promise<ChargeRow> {
  const [row] = await database.reports.query<ChargeRow>(sql, { job_id: jobId });
  return row!;
}
