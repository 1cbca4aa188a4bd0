import type { BudgetCap } from '../../domain/job-budget.ts';

/** Exact decimals of USD, tokens and calls, as JSON numbers. */
interface Sums {
  cost_usd: number;
  tokens: number;
  calls: number;
}

/** When a job with this budget ends if it is open; null without a deadline. `spec 23.11` */
export const cutoffOf = (budget: JobBudgetView | null | undefined): Date | null =>
  budget?.deadline_at ? new Date(Date.parse(budget.deadline_at) + budget.deadline_grace_seconds * 1_000) : null;

/** The budget of a job with what it has spent and holds: the JSON of `budget_view`. */
export interface JobBudgetView extends Record<BudgetCap, number | null> {
  deadline_grace_seconds: number;
  default_output_tokens: number;
  deadline_at: string | null;
  spent: Sums;
  held: Sums;
  /** Null without a cap. */
  remaining: { [Unit in keyof Sums]: number | null };
  /** The part of `spent` that is assumed, because nobody knows it. */
  assumed: Pick<Sums, 'cost_usd' | 'tokens'>;
  reached: BudgetCap[];
}
