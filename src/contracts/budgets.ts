import { z } from 'zod';
import { defaultGraceSeconds, defaultOutputTokens } from '../domain/job-budget.ts';
import { ExactNumber } from './fields.ts';

/** Budgets of jobs. `spec 23.1` */

const caps = {
  max_cost_usd: ExactNumber.min(0)
    .max(1_000_000)
    .nullish()
    .describe('What the calls of the job may cost at the model providers, in USD, 0 to 1,000,000. Null: no cap'),
  max_tokens: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullish()
    .describe('Tokens of all prompts and completions, 1 to 1,000,000,000. Null: no cap'),
  max_calls: z
    .int()
    .min(1)
    .max(100_000)
    .nullish()
    .describe('Calls of the job, failed ones included, 1 to 100,000. Null: no cap'),
  deadline_seconds: z
    .int()
    .min(1)
    .max(604_800)
    .nullish()
    .describe('Seconds from the creation of the job after which it takes no call, 1 to 604,800: 7 days. Null: no cap'),
};

/** A field that is not known is refused: an ignored cap would be no cap. */
export const BudgetMaxima = z.strictObject(caps).meta({ id: 'BudgetMaxima' });

export const BudgetRequest = z
  .strictObject({
    ...caps,
    deadline_grace_seconds: z
      .int()
      .min(0)
      .max(600)
      .nullish()
      .describe(
        `Seconds after the deadline in which calls under way go on and the job may be completed, 0 to 600. Default ${defaultGraceSeconds}`,
      ),
    default_output_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .describe(
        `Output that is reserved for a call that gives no limit of its own, 1 to 1,000,000 tokens. Default ${defaultOutputTokens}`,
      ),
  })
  .meta({ id: 'BudgetRequest' });
