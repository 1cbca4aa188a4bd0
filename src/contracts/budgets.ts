import { z } from 'zod';
import { budgetCaps, defaultGraceSeconds, defaultOutputTokens } from '../domain/job-budget.ts';
import { ExactNumber, namedEnum, timestamp } from './fields.ts';
import { responseFields } from './shared-fields.ts';

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

export const budgetOfRequest =
  'Caps of the job, each of which goes before that of the job type and of the team, up to the maximum of the team. Null is no cap';

const amounts = (what: string) =>
  z
    .object({
      cost_usd: z.number().describe('What calls cost at the model providers, in USD'),
      tokens: z.int().describe('Tokens of prompts and completions'),
      calls: z.int().describe('How many calls, failed ones included'),
    })
    .describe(what);
const left = (what: string) => z.number().nullable().describe(`${what} that remain; null without a cap`);

/** `spec 23.3` */
export const JobBudget = z
  .object({
    max_cost_usd: z
      .number()
      .nullable()
      .describe('What its calls may cost at the model providers, in USD; null: no cap'),
    max_tokens: z.int().nullable().describe('Tokens of all prompts and completions; null: no cap'),
    max_calls: z.int().nullable().describe('Calls, failed ones included; null: no cap'),
    deadline_seconds: z.int().nullable().describe('Seconds after which it takes no call; null: no cap'),
    deadline_grace_seconds: z.int().describe('Seconds after the deadline in which calls under way go on'),
    default_output_tokens: z.int().describe('Output that is reserved for a call that gives no limit of its own'),
    deadline_at: timestamp('When the job takes no more calls; null without a deadline').nullable(),
    spent: amounts('What the calls that have ended took'),
    held: amounts('What queued and running calls have reserved; 0 where there is no cap'),
    remaining: z
      .object({ cost_usd: left('USD'), tokens: left('Tokens'), calls: left('Calls') })
      .describe('The caps less what is spent and held, at least 0'),
    assumed: z
      .object({
        cost_usd: z.number().describe('USD beyond the cost that is known'),
        tokens: z.int().describe('Tokens beyond those that were counted'),
      })
      .describe('The part of `spent` that is assumed, because nobody knows what an attempt took. It is never billed'),
    reached: z
      .array(namedEnum('BudgetCap', budgetCaps))
      .describe('The caps that refused a call since the budget was last changed'),
  })
  .meta({ id: 'JobBudget' });

/** In the answers about a job that has a budget. */
export const budgetOfJob = {
  budget: JobBudget.optional().describe('Caps of the job, and what remains of them; absent where the job has none'),
};

export const ChangedBudget = z
  .object({ job_id: responseFields.job_id, budget: JobBudget.describe('The budget after the change') })
  .meta({ id: 'ChangedBudget' });
