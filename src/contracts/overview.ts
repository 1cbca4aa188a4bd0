import { z } from 'zod';
import { Attention } from './attention.ts';
import { BurnRate } from './burn-rate.ts';
import { isOrdered, notOrdered } from './date-range.ts';
import { namedEnum, timestamp } from './fields.ts';
import { completeUntil, FigureScope, figure, responseRange } from './figure-ranges.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 19.44` */

export const OverviewQuery = FigureScope.refine(isOrdered, notOrdered);

const usdOrNull = z.number().nullable();

export const Overview = z
  .object({
    ...responseRange,
    bucket: namedEnum('OverviewBucket', ['day', 'month']).describe('The length of a bucket, UTC'),
    buckets: z.array(z.iso.datetime()).describe('When each bucket begins. ISO 8601, UTC'),
    jobs: figure(z.int(), 'Jobs that were created, open ones too'),
    success_rate: figure(z.number().nullable(), 'Completed jobs as a part of the jobs that have ended, 0 to 1'),
    credits_charged: figure(z.int(), 'Credits deducted for jobs, by the day on which the job was created'),
    cost_usd: figure(
      usdOrNull,
      "What the calls of the jobs cost at the model providers, in USD; null for a team's session without `SHOW_COST_TO_TEAMS`",
    ),
    margin_usd: figure(usdOrNull, 'Revenue less cost, in USD; null without a price of credits, and for a team'),
    estimated_cost_usd: figure(
      z.number(),
      'What aborted attempts took that nobody reported, in USD: an estimate, which is not in `cost_usd`. Present only in an answer to an admin',
    ).optional(),
    p95_latency_ms: figure(
      z.int().nullable(),
      '95th percentile of the latency of calls that succeeded, in milliseconds, estimated from a histogram',
    ),
    outcomes: z
      .array(
        z
          .object({
            at: z.iso.datetime().describe('When the bucket begins. ISO 8601, UTC'),
            completed: z.int().describe('Jobs that were completed'),
            failed: z.int().describe('Jobs that failed'),
            cancelled: z.int().describe('Jobs that were cancelled'),
            open: z.int().describe('Jobs that have not ended'),
          })
          .meta({ id: 'OutcomesInBucket' }),
      )
      .describe('Jobs by outcome, for each bucket of their creation'),
    cost_by_model_group: z
      .array(
        z
          .object({
            model_group: z
              .string()
              .nullable()
              .describe('Model group of the calls; null for direct requests of an alias'),
            cost_usd: z.number().describe('What the calls that ended in the range cost, in USD'),
          })
          .meta({ id: 'CostOfModelGroup' }),
      )
      .describe(
        "By the end of the call, most expensive first; empty for a team's session without `SHOW_COST_TO_TEAMS`",
      ),
    newest_failures: z
      .array(
        z
          .object({
            job_id: responseFields.job_id,
            team_id: responseFields.team_id,
            job_type: responseFields.job_type,
            completed_at: timestamp('When the job failed'),
            error_message: z.string().nullable().describe('Why the job failed; null if its client gave no reason'),
          })
          .meta({ id: 'NewestFailure' }),
      )
      .describe('The jobs that failed last, newest first, at most ten; whatever the range'),
    attention: Attention.nullable().describe('What needs attention, as `GET /api/attention`; null for a team'),
    burn_rate: BurnRate.nullable().describe('How long the credits last; null unless the figures are those of one team'),
    complete_until: completeUntil.describe(
      'Every call that was recorded before this moment is in the figures of calls; those of jobs are of the moment of the answer',
    ),
  })
  .meta({ id: 'Overview' });
