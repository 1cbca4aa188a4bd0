import type { z } from 'zod';
import type { ErrorsQuery, FailedCallsQuery } from '../../contracts/call-errors.ts';
import { type FailedCalls, listFailedCalls as list } from '../../db/calls/list-failed-calls.ts';
import { type ErrorsQuestion, readErrors } from '../../db/figures/read-errors.ts';
import { type Bucket, bucketStarts, dayMs } from '../../domain/time/buckets.ts';
import { errorViewOf, toErrorFilter } from '../calls/error-filter.ts';
import type { ServiceContext } from '../context.ts';
import { dayRange } from './figure-range.ts';
import { figureKey, figureScope } from './figure-scope.ts';

const bucketFor = (days: number): Bucket => (days <= 3 ? 'hour' : days <= 92 ? 'day' : 'month');

/** The errors of the jobs that were created in the range, in groups. `spec 19.72` */
export async function getErrors({ deps, caller }: ServiceContext, query: z.output<typeof ErrorsQuery>) {
  const range = dayRange(query);
  const bucket = bucketFor((range.until.getTime() - range.from.getTime()) / dayMs);
  const starts = bucketStarts(bucket, range, { most: 1_000 });
  const filter = toErrorFilter(caller, query) ?? { view: errorViewOf(caller) };
  const question: ErrorsQuestion = { ...figureScope(caller, query), ...range, filter, starts };
  const key = figureKey('errors', { ...question, starts: undefined });
  const figures = await deps.figures(key, () => readErrors(deps.database, question));
  return { range, bucket, starts, figures, isForAdmin: filter.view === 'requests' };
}

/** A page of the calls with an error, newest first. `spec 19.73` */
export async function listFailedCalls(
  { deps, caller }: ServiceContext,
  query: z.output<typeof FailedCallsQuery>,
): Promise<FailedCalls & { isForAdmin: boolean }> {
  const { limit, cursor, count } = query;
  const filter = toErrorFilter(caller, query) ?? { view: errorViewOf(caller) };
  const selection = { scope: figureScope(caller, query), range: dayRange(query), filter };
  const page = await list(deps.database, selection, { limit, cursor, count });
  return { ...page, isForAdmin: filter.view === 'requests' };
}
