import { z } from 'zod';
import { buckets, isTimeZone } from '../domain/time/buckets.ts';
import { seriesClocks, seriesGroupings, seriesMetrics } from '../domain/usage-series.ts';
import { csvFormat } from './csv.ts';
import { isOrdered, notOrdered } from './date-range.ts';
import { namedEnum } from './fields.ts';
import { compare, completeUntil, FigureScope, previousRange, responseRange } from './figure-ranges.ts';

/** `spec 19.43` */

const metric = namedEnum('SeriesMetric', seriesMetrics).describe(
  'What is summed. `revenue_usd` is the price of the credits, and only an admin sees it. Money and jobs count on the day on which their job was ' +
    'created, credits on the day of their row in the ledger, calls in the hour of their end',
);
const group_by = namedEnum('SeriesGrouping', seriesGroupings).describe(
  'One line for each value of this field. `none`: one line. Not every metric has every field: others are a 422',
);
const bucket = namedEnum('SeriesBucket', buckets).describe('The length of a bucket');
const tz = z.string();

export const UsageSeriesQuery = FigureScope.extend({
  metric: metric.default('jobs'),
  group_by: group_by.default('none'),
  bucket: bucket.default('day'),
  compare,
  tz: tz
    .min(1)
    .max(64)
    .refine(isTimeZone, { message: 'Input should be a time zone, like Europe/Berlin' })
    .default('UTC')
    .describe(
      'Time zone of the buckets of calls, and of `from` and `to` without a time, as `Europe/Berlin`. Days of money and jobs are UTC ' +
        'whatever it is, and so are those of a zone that is no whole number of hours from UTC: the answer names the zone',
    ),
  format: csvFormat.format,
  top: z.int().min(1).max(50).default(10).describe('How many groups to show; the rest is summed as `other`'),
}).refine(isOrdered, notOrdered);

const value = z.number().nullable();
const previous = (meaning: string) => z.number().optional().describe(`${meaning}. Only with \`compare=previous\``);

export const UsageSeries = z
  .object({
    metric,
    group_by,
    bucket,
    ...responseRange,
    tz: tz.describe('The time zone in which the buckets begin'),
    clock: namedEnum('SeriesClock', seriesClocks).describe(
      'What decides the bucket: the creation of the job, the row of the ledger, or the end of the call',
    ),
    complete_until: completeUntil,
    groups: z
      .array(
        z
          .object({
            key: z
              .string()
              .nullable()
              .describe('Value of the field, `all` without one; null for calls and jobs that have none'),
            label: z.string().describe('Name to show: the alias of a team, the name of an organization, or the key'),
            total: z.number().describe('Sum of the group over the range'),
            previous: previous('Sum of the group over the period before'),
          })
          .meta({ id: 'SeriesGroup' }),
      )
      .describe('The groups with the largest sums, largest first'),
    other: z
      .object({
        total: z.number().describe('Sum of the groups that are not shown'),
        previous: previous('The sum over the period before of all that is in no shown group'),
        count: z.int().describe('How many groups are not shown'),
      })
      .nullable()
      .describe('The remaining groups together; null when all are shown'),
    total: z.number().describe('Sum of all groups over the range'),
    previous: z
      .object({ ...previousRange, total: z.number().describe('Sum of all groups over it') })
      .meta({ id: 'SeriesBefore' })
      .optional()
      .describe('The period before. Only with `compare=previous`'),
    points: z
      .array(
        z
          .object({
            at: z.iso.datetime().describe('When the bucket begins. ISO 8601, UTC'),
            total: value.describe('Sum of all groups in the bucket; null where nothing is known yet'),
            values: z
              .array(value)
              .describe('A value for each of `groups`, in their order; null where nothing is known yet'),
            previous: value
              .optional()
              .describe(
                'Sum of all groups in the bucket at the same place of the period before; null where that is shorter. Only with `compare=previous`',
              ),
            other: value.describe('Sum of the groups that are not shown; null without such groups, or if unknown'),
          })
          .meta({ id: 'SeriesPoint' }),
      )
      .describe('Every bucket of the range, oldest first'),
  })
  .meta({ id: 'UsageSeries' });

/** A line of the file of a series. */
export const SeriesRow = z.object({
  at: z.iso.datetime().describe('When the bucket begins'),
  key: z
    .string()
    .nullable()
    .describe('Value of the field of `group_by`; empty for the sum of the groups that are not shown'),
  label: z.string().describe('Name to show'),
  value: value.describe('Sum of the group in the bucket; empty where nothing is known yet'),
});
