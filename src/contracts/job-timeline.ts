import { z } from 'zod';
import { verdictRules } from '../domain/explain-charge.ts';
import { AuditEntryResponse } from './admin-users.ts';
import { budgetOfJob } from './budgets.ts';
import { BillingPolicy, BudgetMode, CreditTransaction } from './credits.ts';
import { Cursor, next_cursor } from './cursor.ts';
import { int, namedEnum, text, timestamp } from './fields.ts';
import { CallRecord } from './job-calls.ts';
import { ListedJob } from './job-lists.ts';
import { JobEnder, JobStatus } from './jobs.ts';
import { responseFields } from './shared-fields.ts';
import { DeliveryResponse } from './webhooks.ts';

/** Everything about one job, and why it was charged or not: `spec 19.24` to `spec 19.26`. */

export const JobTimelineQuery = z.object({
  calls_limit: z.int().min(1).max(1_000).default(1_000).describe('How many calls to return at most'),
  calls_cursor: Cursor.optional().describe('Where the calls begin: the `next_calls_cursor` of the answer before'),
});

const Verdict = z
  .object({
    charged: z.boolean().describe('Whether credits were deducted for the job, also if they were refunded later'),
    credits: z.int().describe('Credits that were deducted for the job; 0 for a job that is free or open'),
    rule: namedEnum('VerdictRule', verdictRules).meta({
      description:
        'What decided. `open`: nothing is decided yet. `failed`, `cancelled`: the policy of the job does not charge that. `failed_calls`: ' +
        'its calls make it free, by its policy. `price_too_high`: no balance could hold the price. `price_zero`: the price is 0. `balance_too_low`: the team had too few credits. `charged`, `refunded`: the price was deducted',
      example: 'charged',
    }),
    inputs: z
      .object({
        status: JobStatus,
        ended_by: JobEnder.nullable().describe('Who ended the job, as in `job`; null while it is open'),
        failed_calls: int('Calls that failed', 0),
        first_failed_call: z
          .object({
            call_id: responseFields.call_id,
            position: z.int().describe('Place of the call among all calls of the job, from 1'),
          })
          .nullable()
          .meta({ description: 'The first call that failed; null without one', example: null }),
        budget_mode: BudgetMode.describe(
          'How the price is derived: as it was when the job ended, or as it is now while it is open',
        ),
        tokens_per_credit: z.int().nullable().describe('The rate of `consumption_tokens`; null in the other modes'),
        credits_per_dollar: z.number().nullable().describe('The rate of `consumption_usd`; null in the other modes'),
        total_tokens: int('Tokens of all prompts and completions', 88),
        total_cost_usd: z
          .number()
          .meta({ description: 'What the calls cost at the model providers, in USD', example: 0.00043 }),
        billing_policy: BillingPolicy.optional().describe(
          'When the job is charged, as it was when the job was created. Only of a job that has another price or policy than the default',
        ),
        superseded_calls: z
          .int()
          .optional()
          .describe('Failed calls after which a call with the same purpose succeeded. Only of such a job'),
        price_credits: z.number().describe('What the job costs if it is charged, in whole credits'),
        credits_remaining: int(
          "The team's balance when the job ended, after the deduction if there was one, or now while it is open",
          4,
        ),
        credit_limit: int(
          'A number: the budget was a fixed one when the job ended. Null: it was unlimited',
          5,
        ).nullable(),
        refunded: z
          .object({
            credits: z.int().describe('Credits that were given back'),
            at: timestamp('When they were given back'),
            reason: z.string().describe('Why, as in the ledger'),
          })
          .nullable()
          .meta({ description: 'The refund of the job; null without one', example: null }),
      })
      .meta({ id: 'VerdictInputs' })
      .describe('What the decision was made from, as it was recorded with the end of the job'),
    sentence: z.string().meta({
      description: 'What was charged and why, for people. Its wording may change',
      example:
        'Charged 1 credit: the job was completed without a failed call, and each completed job of the team costs 1 credit. ' +
        'The team had 5 credits before and 4 credits after.',
    }),
  })
  .meta({ id: 'JobVerdict' });

export const JobTimeline = z
  .object({
    job: ListedJob.describe('The job with its sums'),
    verdict: Verdict.describe('What was charged, and why'),
    ...budgetOfJob,
    calls: z
      .array(CallRecord)
      .describe('Its calls, those that have not ended too, in the order in which they were made'),
    calls_total: z.int().describe('How many calls the job has in all'),
    next_calls_cursor: next_cursor.describe('The `calls_cursor` of the calls that follow; null when there are none'),
    transactions: z.array(CreditTransaction).describe('The deduction and the refund of the job, oldest first'),
    deliveries: z
      .array(DeliveryResponse.omit({ payload: true }).meta({ id: 'TimelineDelivery' }))
      .describe("The newest 200 webhook deliveries of the job's events, oldest first"),
    audit: z
      .array(
        AuditEntryResponse.extend({
          times: z
            .int()
            .describe('How many entries it stands for: those of a user who has read calls are one, the newest'),
        }).meta({ id: 'TimelineAuditEntry' }),
      )
      .describe('The newest 200 entries of the audit log about the job, oldest first; empty for a team'),
    temporal: z
      .object({
        workflow_id: text("Id of the job's workflow", 'job-3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35'),
        url: text(
          'Its page in the Temporal UI; null where no address of that is set',
          'https://temporal.example.com/namespaces/default/workflows/job-3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35',
        ).nullable(),
      })
      .optional()
      .describe('Where the job runs. Present only in an answer to an admin'),
  })
  .meta({ id: 'JobTimeline' });
