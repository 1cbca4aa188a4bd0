import { z } from 'zod';
import { csvFormat } from './csv.ts';
import { isOrdered, notOrdered } from './date-range.ts';
import { namedEnum, Period } from './fields.ts';
import { compare, completeUntil, FigureScope, previousRange, responseRange } from './figure-ranges.ts';

/** `spec 19.46` */

const marginGroupings = ['job_type', 'team_id', 'organization_id'] as const;

const group_by = namedEnum('MarginGrouping', marginGroupings).describe('What a row stands for');

export const MarginsQuery = FigureScope.extend({
  period: Period.optional().describe('A calendar month, UTC: `YYYY-MM`, instead of `from` and `to`'),
  group_by: group_by.default('job_type'),
  bucket: namedEnum('MarginBucket', ['none', 'day', 'month'])
    .default('none')
    .describe('The length of the buckets of `points`, UTC. `none`: there are no points'),
  compare,
  ...csvFormat,
})
  .refine(isOrdered, notOrdered)
  .refine(({ period, from, to }) => period === undefined || (from === undefined && to === undefined), {
    path: ['period'],
    message: 'period cannot be combined with from or to',
  });

const usdOrNull = z.number().nullable();

const figures = {
  jobs: z.int().describe('Jobs that were created in the range, open ones too'),
  charged_jobs: z.int().describe('Of these, jobs that have ended and were charged'),
  free_jobs: z.int().describe('Of these, jobs that have ended and were not charged'),
  failed_jobs: z.int().describe('Of these, jobs that failed'),
  credits_charged: z.int().describe('Credits deducted for the jobs'),
  credits_refunded: z.int().describe('Credits of the jobs given back, whenever that was'),
  credits: z.int().describe('`credits_charged` less `credits_refunded`'),
  revenue_usd: usdOrNull.describe(
    'Price of `credits` in USD: what a credit cost when it was charged. Teams without a price bring in nothing; null where no team has one',
  ),
  cost_usd: z.number().describe('What the calls of the jobs cost at the model providers, in USD'),
  free_cost_usd: z.number().describe('Part of `cost_usd` of jobs that have ended and were not charged'),
  failed_cost_usd: z.number().describe('Part of `cost_usd` of jobs that failed'),
  estimated_cost_usd: z
    .number()
    .describe('What aborted attempts took that nobody reported, in USD: an estimate, which is not in `cost_usd`'),
  margin_usd: usdOrNull.describe('`revenue_usd` less `cost_usd`; null without a price of credits'),
  margin_percent: usdOrNull.describe('`margin_usd` as a part of `revenue_usd`, in percent; null without revenue'),
};

const Sums = z.object(figures).meta({ id: 'MarginTotal' });
const before = Sums.nullable().optional();

export const MarginRow = z
  .object({
    key: z.string().describe('The job type, or the id of the team or organization'),
    label: z.string().describe('Name to show'),
    ...figures,
    previous: before.describe('The same in the period before; null without a job then. Only with `compare=previous`'),
  })
  .meta({ id: 'Margin' });

const MarginPoint = z
  .object({
    at: z.iso.datetime().describe('When the bucket begins. ISO 8601, UTC'),
    ...figures,
    previous: before.describe(
      'The same in the bucket at the same place of the period before; null where that is shorter. Only with `compare=previous`',
    ),
  })
  .meta({ id: 'MarginPoint' });

export const Margins = z
  .object({
    group_by,
    ...responseRange,
    clock: z.literal('job_created').describe('Everything counts on the day on which its job was created, UTC'),
    complete_until: completeUntil,
    usd_per_credit: usdOrNull.describe('Price of a credit now, in USD: `USD_PER_CREDIT`; null when it is not set'),
    total: Sums.describe('All rows together'),
    previous: z
      .object({ ...previousRange, total: Sums.describe('All rows together') })
      .meta({ id: 'MarginsBefore' })
      .optional()
      .describe('The period before, all rows together. Only with `compare=previous`'),
    points: z
      .array(MarginPoint)
      .optional()
      .describe('Every bucket of the range, oldest first, all rows together. Only with a `bucket`'),
    rows: z.array(MarginRow).describe('The most expensive first, at most 1,000'),
    rows_total: z.int().describe('How many rows there are in all'),
  })
  .meta({ id: 'Margins' });
