import type { BillingPolicy, CallFacts } from '../../domain/billing-policy.ts';
import { price } from '../../domain/charge.ts';
import { type BudgetMode, billingAt } from '../../domain/credits.ts';
import { isFinished, type JobEnder, type JobResult, type JobTotals } from '../../domain/job-state.ts';
import { termsOf } from '../../domain/settlement-basis.ts';
import type { Database } from '../connection/database.ts';
import { isPastCutoff } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';
import type { JobBudgetView } from './job-budget.ts';
import { type JobStartRow, jobStartColumns } from './job-start-row.ts';
import { budgetOfJob } from './new-job-terms.ts';
import { factsOf } from './settlement-basis.ts';

/** The record of a job. While the job is open, its workflow may know more. Costs are exact decimals, USD. */
export interface JobRow extends JobStartRow {
  completed_at: Date | null;
  credit_applied: boolean;
  error_message: string | null;
  ended_by: JobEnder | null;
  total_calls: number;
  failed_calls: number;
  total_tokens: number;
  total_cost_usd: string;
  total_latency_ms: number;
  /** The team's balance when the job ended. */
  credits_remaining: number | null;
  /** What was deducted for the job. */
  credits_charged: number;
  /** What the job has reserved, or had while it was open. Null: it has no reservation. */
  credits_held: number | null;
  /** Null: the default. */
  price_credits: number | null;
  billing_policy: BillingPolicy | null;
  /** What the job was billed by, as of its end. */
  budget_mode: BudgetMode | null;
  credit_rate: string | null;
  /** Null: the job is open, or its price and policy are the default. Absent in lists. */
  facts?: CallFacts | null;
}

/** One job, with its budget; null if it has none. */
export interface FoundJob extends JobRow {
  budget: JobBudgetView | null;
  /** Its deadline is over, with the grace after it: if the job is open, its workflow is about to end it. */
  is_past_cutoff: boolean;
}

export const jobColumns = `${jobStartColumns}, completed_at, credit_applied, error_message, ended_by,
   total_calls, failed_calls, total_tokens, total_cost_usd, total_latency_ms, credits_remaining, credits_charged, credits_held,
   price_credits, billing_policy, budget_mode, credit_rate`;

const sql = statement(
  'find_job',
  `select ${jobColumns}, case when completed_at is not null then ${factsOf('jobs')} end as facts,
          ${budgetOfJob('jobs.job_id')} as budget, ${isPastCutoff('jobs.job_id')} as is_past_cutoff
     from jobs where job_id = :job_id`,
);

export async function findJob(database: Database, jobId: string): Promise<FoundJob | undefined> {
  const [row] = await database.query<FoundJob>(sql, { job_id: jobId });
  return row;
}

/** The result in a job's record; undefined while the job is open. */
export function resultInRecord(job: JobRow): JobResult | undefined {
  const { status } = job;
  if (!isFinished(status)) return undefined;
  return {
    status,
    completed_at: job.completed_at!.toISOString(),
    credit_applied: job.credit_applied,
    credits_remaining: job.credits_remaining ?? 0,
    total_calls: job.total_calls,
    failed_calls: job.failed_calls,
    total_tokens: job.total_tokens,
    total_cost_usd: job.total_cost_usd,
    total_latency_ms: job.total_latency_ms,
    ...termsOfCosts(job),
  };
}

/** What the costs of an ended job add that has a price or a policy of its own. `spec 21.5` */
export function termsOfCosts(job: JobRow): Pick<JobTotals, 'terms'> {
  const terms = termsOf({ ...job, facts: job.facts ?? null });
  if (!terms) return {};
  const { total_tokens: totalTokens, total_cost_usd: totalCostUsd, credits_charged } = job;
  const billing = billingAt(job.budget_mode ?? 'job_based', job.credit_rate);
  const price_credits = price({ totalTokens, totalCostUsd, terms }, billing);
  return { terms: { price_credits, credits_charged, superseded_calls: terms.facts.superseded } };
}
