import type { z } from 'zod';
import type { JobHistogramQuery } from '../../contracts/job-lists.ts';
import { readHistogram as countJobs } from '../../db/jobs/read-job-histogram.ts';
import { databaseTime } from '../../db/sql/database-clock.ts';
import { chooseRange, type HistogramPoint, type HistogramRange, toPoints } from '../../domain/job-histogram.ts';
import { invalid } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { toJobFilter } from './to-job-filter.ts';

export interface CountedRange extends HistogramRange {
  points: HistogramPoint[];
  /** Whether every job of the range was counted. */
  isComplete: boolean;
}

/** The jobs of a list, counted by outcome, hour by hour or day by day. */
export async function readHistogram(
  { deps, caller }: ServiceContext,
  { bucket: wanted, ...filters }: z.output<typeof JobHistogramQuery>,
): Promise<CountedRange> {
  const filter = toJobFilter(caller, filters);
  const now = await databaseTime(deps.database);
  const range = chooseRange({ from: filter.created_from ?? null, before: filter.created_before ?? null, now, wanted });
  if (!range) throw invalid(['query', 'start_date'], 'The range should have at most 1,100 points');
  const { bucket, from, to } = range;
  const found = await countJobs(
    deps.database,
    { ...filter, created_from: filter.created_from ?? from, created_before: filter.created_before ?? to },
    { bucket },
  );
  return { ...range, points: toPoints(range, found), isComplete: found.stoppedAt === null };
}
