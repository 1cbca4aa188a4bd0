import type { z } from 'zod';
import type { MarginsQuery } from '../../contracts/margins.ts';
import type { Range } from '../../db/figures/job-days.ts';
import {
  type MarginFigures,
  type MarginSums,
  maxRows,
  maxRowsBefore,
  readMargins,
} from '../../db/figures/read-margins.ts';
import { bucketStarts } from '../../domain/time/buckets.ts';
import { monthOf } from '../../domain/time/month.ts';
import { periodBefore } from '../../domain/time/period-before.ts';
import { invalid } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { dayRange } from './figure-range.ts';
import { figureKey, figureScope } from './figure-scope.ts';

const maxBuckets = 1_000;

/** What was summed of one period: the figures, and the beginnings of its buckets. */
export interface MarginsOfPeriod {
  range: Range;
  starts: Date[];
  figures: MarginFigures;
}

/** Revenue, cost and margin of the jobs that were created in the range, in groups, and of the period before. `spec 19.46`, `spec 19.75` */
export async function getMargins({ deps, caller }: ServiceContext, query: z.output<typeof MarginsQuery>) {
  const { period, group_by, bucket, compare } = query;
  const range = period === undefined ? dayRange(query) : monthOf(period);
  const usd_per_credit = deps.config.USD_PER_CREDIT ?? null;
  const scope = figureScope(caller, query);
  const read = async ({ from, until }: Range, most_rows: number): Promise<MarginsOfPeriod> => {
    const starts = bucket === 'none' ? [from] : bucketStarts(bucket, { from, until }, { most: maxBuckets });
    if (starts.length > maxBuckets) throw invalid(['query', 'bucket'], `The range has more than ${maxBuckets} buckets`);
    const question = { ...scope, from, until, group_by, usd_per_credit, starts, most_rows };
    const figures = await deps.figures(figureKey('margins', question), () => readMargins(deps.database, question));
    return { range: { from, until }, starts, figures };
  };
  const [present, previous] = await Promise.all([
    read(range, maxRows),
    compare === 'previous' ? read(periodBefore(range), maxRowsBefore) : null,
  ]);
  return { usd_per_credit, present, previous };
}

/** The sums of a period without a job. `priced`: whether its total has a revenue. */
export const noMargin = ({ revenue_usd }: MarginSums): MarginSums => {
  const usd = revenue_usd === null ? null : 0;
  return {
    ...{ jobs: 0, charged_jobs: 0, free_jobs: 0, failed_jobs: 0, credits_charged: 0, credits_refunded: 0, credits: 0 },
    ...{ cost_usd: 0, free_cost_usd: 0, failed_cost_usd: 0, estimated_cost_usd: 0 },
    ...{ revenue_usd: usd, margin_usd: usd, margin_percent: null },
  };
};
