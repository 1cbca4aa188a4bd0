import type { z } from 'zod';
import type { UsageSeriesQuery } from '../../contracts/usage-series.ts';
import { anyTeamHasPrice, readSeries, type SeriesQuestion } from '../../db/figures/read-series.ts';
import { areDays, type Bucket, bucketStarts, dayMs, hasWholeHours, hourMs } from '../../domain/time/buckets.ts';
import { periodBefore } from '../../domain/time/period-before.ts';
import { clockOf, type SeriesKind, type SeriesSource, sourceOf } from '../../domain/usage-series.ts';
import { invalid, refuse } from '../../errors.ts';
import { seesCost } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { figureRange } from './figure-range.ts';
import { figureKey, figureScope } from './figure-scope.ts';

const maxBuckets = 1_000;

const defaultMs: Record<Bucket, number> = { hour: 48 * hourMs, day: 30 * dayMs, month: 335 * dayMs };

/** Users have no sums: every job of the range is read. */
const maxRangeMs = (source: SeriesSource): number => (source === 'jobs' ? 92 : 3_660) * dayMs;

function requireSource(kind: SeriesKind): SeriesSource {
  const source = sourceOf(kind);
  if (source) return source;
  const { metric, group_by, bucket } = kind;
  throw invalid(['query', 'group_by'], `There is no series of ${metric} by ${group_by} and ${bucket}`);
}

function requireCost({ deps, caller }: ServiceContext): void {
  if (!seesCost(caller, deps.config)) throw refuse('role_insufficient');
}

/** What credits bring in is the operator's. */
async function requirePrice({ deps, caller }: ServiceContext): Promise<void> {
  if (caller.kind === 'team') throw refuse('role_insufficient');
  if (deps.config.USD_PER_CREDIT === undefined && !(await anyTeamHasPrice(deps.database)))
    throw invalid(
      ['query', 'metric'],
      'There is no price of credits: neither USD_PER_CREDIT nor that of a team is set',
    );
}

interface Buckets {
  from: Date;
  until: Date;
  starts: Date[];
  tz: string;
}

/** The buckets are in the zone, if the record can be divided so: money is recorded by days of UTC, calls by its hours. */
function bucketsFor(
  query: { from?: string | undefined; to?: string | undefined; tz: string; bucket: Bucket },
  source: SeriesSource,
): Buckets {
  const { bucket, tz } = query;
  const inZone = (timeZone: string): Buckets => {
    const unit = source === 'call_hours' ? 'hour' : 'day';
    const form = { unit, bucket, timeZone, defaultMs: defaultMs[bucket], maxRangeMs: maxRangeMs(source) } as const;
    const range = figureRange(query, form);
    return { ...range, starts: bucketStarts(bucket, range, { timeZone, most: maxBuckets }), tz: timeZone };
  };
  if (source !== 'call_hours') return inZone('UTC');
  const zoned = inZone(tz);
  return hasWholeHours(tz, [...zoned.starts, zoned.until]) ? zoned : inZone('UTC');
}

/** A metric over time, by group. A team sees its own figures, an admin those of everybody. `spec 19.43` */
export async function getUsageSeries(context: ServiceContext, query: z.output<typeof UsageSeriesQuery>) {
  const { deps, caller } = context;
  const { metric, group_by, bucket, top } = query;
  const scope = figureScope(caller, query);
  const source = requireSource(query);
  if (metric === 'revenue_usd') await requirePrice(context);
  if (metric === 'cost_usd') requireCost(context);
  const { starts, from, until, tz } = bucketsFor(query, source);
  const previous = query.compare === 'previous' ? periodBefore({ from, until }, tz) : null;
  const before = previous ? bucketStarts(bucket, previous, { timeZone: tz, most: maxBuckets }) : [];
  // What is between the two periods is a bucket that is not shown.
  const gap = previous && previous.until < from ? [previous.until] : [];
  const all = [...before, ...gap, ...starts];
  if (starts.length > maxBuckets || before.length > maxBuckets)
    throw invalid(['query', 'bucket'], `The range has more than ${maxBuckets} buckets`);
  const byDay = source === 'call_hours' && areDays([...all, until]);
  const question: SeriesQuestion = {
    ...scope,
    source: byDay ? 'call_days' : source,
    ...{ metric, group_by, starts: all, from: previous?.from ?? from, until, top },
    before: before.length + gap.length,
    compared: before.length,
    usd_per_credit: deps.config.USD_PER_CREDIT ?? null,
  };
  // The buckets follow from the rest.
  const key = figureKey('series', { ...question, starts: undefined, bucket, tz });
  const answer = await deps.figures(key, () => readSeries(deps.database, question));
  const completeUntil = source === 'call_hours' ? answer.calls_complete_until : answer.now;
  return {
    ...{ metric, group_by, bucket, from, until, starts, tz, clock: clockOf(source), completeUntil, answer },
    ...{ previous, before: question.before, compared: question.compared },
  };
}

export type SeriesResult = Awaited<ReturnType<typeof getUsageSeries>>;
