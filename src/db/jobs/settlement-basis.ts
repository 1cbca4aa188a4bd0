import type { SettlementBasis } from '../../domain/settlement-basis.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** The columns of a `JobBilling`, from these two tables. */
export const billingColumns = (job: string, team: string): string =>
  `${team}.team_id, ${job}.price_credits, ${job}.billing_policy, ${team}.budget_mode, ${team}.tokens_per_credit,
   ${team}.credits_per_dollar::text, ${team}.credit_thresholds`;

/** The columns of a `SettlementBasis` but `facts`. */
export const basisColumns = (job: string, team: string): string =>
  `${billingColumns(job, team)}, ${job}.failed_calls, ${job}.total_tokens, ${job}.total_cost_usd`;

/** Whether a job has another price or policy than the default. */
const hasTerms = (job: string): string => `(${job}.price_credits is not null or ${job}.billing_policy is not null)`;

/** `CallFacts` of a job with terms, else null: the calls of any other job are not read. */
export const factsOf = (job: string): string =>
  `case when ${hasTerms(job)} then (select to_json(facts) from call_facts(${job}.job_id) facts) end`;

const sql = statement(
  'settlement_basis',
  `select ${basisColumns('j', 't')}, ${factsOf('j')} as facts
     from jobs j join teams t on t.team_id = j.team_id where j.job_id = :job_id`,
);

/** The sums no longer change: the workflow has closed the job to new calls and recorded every one. */
export async function settlementBasis(database: Database, jobId: string): Promise<SettlementBasis | undefined> {
  const [row] = await database.query<SettlementBasis>(sql, { job_id: jobId });
  return row;
}
