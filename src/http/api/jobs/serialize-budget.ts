import type { z } from 'zod';
import type { JobBudget } from '../../../contracts/budgets.ts';
import type { JobBudgetView } from '../../../db/jobs/job-budget.ts';

export const toBudget = (budget: JobBudgetView): z.input<typeof JobBudget> => ({
  max_cost_usd: budget.max_cost_usd,
  max_tokens: budget.max_tokens,
  max_calls: budget.max_calls,
  deadline_seconds: budget.deadline_seconds,
  deadline_grace_seconds: budget.deadline_grace_seconds,
  default_output_tokens: budget.default_output_tokens,
  deadline_at: budget.deadline_at && new Date(budget.deadline_at).toISOString(),
  spent: budget.spent,
  held: budget.held,
  remaining: budget.remaining,
  assumed: budget.assumed,
  reached: budget.reached,
});

/** The field `budget` of an answer about a job, which a job without a budget does not have. `spec 23.3` */
export const serializeBudget = (budget: JobBudgetView | null): { budget?: z.input<typeof JobBudget> } =>
  budget ? { budget: toBudget(budget) } : {};
