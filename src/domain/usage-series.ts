import { type Bucket, buckets } from './time/buckets.ts';

/** What a series can show, and which record it is read from. `spec 19.43` */

export const seriesMetrics = ['jobs', 'calls', 'tokens', 'cost_usd', 'credits', 'revenue_usd'] as const;
export type SeriesMetric = (typeof seriesMetrics)[number];

export const seriesGroupings = [
  'none',
  'organization_id',
  'team_id',
  'job_type',
  'model_group',
  'user_id',
  'outcome',
] as const;
export type SeriesGrouping = (typeof seriesGroupings)[number];

/**
 * The clock by which something counts: a job and all that it took at its creation, a credit at the row of the ledger that moved it,
 * a call at its end.
 */
export const seriesClocks = ['job_created', 'ledger', 'call_finished'] as const;
export type SeriesClock = (typeof seriesClocks)[number];

/**
 * `job_days`: `daily_usage` and the open jobs. `ledger_days`: `daily_credits`. `call_hours`: `hourly_calls`. `call_days`: `daily_calls`, which has the same
 * figures by days of UTC. `jobs`: every job of the range.
 */
export type SeriesSource = 'job_days' | 'ledger_days' | 'call_hours' | 'call_days' | 'jobs';

interface SourceRule {
  source: SeriesSource;
  metrics: readonly SeriesMetric[];
  groupings: readonly SeriesGrouping[];
  buckets: readonly Bucket[];
}

/** The sources in their order: the first that has the figures is read. */
const sources: readonly SourceRule[] = [
  {
    source: 'job_days',
    metrics: ['jobs', 'tokens', 'cost_usd', 'revenue_usd'],
    groupings: ['none', 'organization_id', 'team_id', 'job_type'],
    buckets: ['day', 'month'],
  },
  { source: 'job_days', metrics: ['calls', 'credits'], groupings: ['job_type'], buckets: ['day', 'month'] },
  { source: 'job_days', metrics: ['jobs'], groupings: ['outcome'], buckets: ['day', 'month'] },
  {
    source: 'ledger_days',
    metrics: ['credits'],
    groupings: ['none', 'organization_id', 'team_id'],
    buckets: ['day', 'month'],
  },
  {
    source: 'call_hours',
    metrics: ['calls', 'tokens', 'cost_usd'],
    groupings: ['none', 'organization_id', 'team_id', 'model_group', 'outcome'],
    buckets,
  },
  {
    source: 'jobs',
    metrics: ['jobs', 'calls', 'tokens', 'cost_usd', 'credits'],
    groupings: ['user_id'],
    buckets: ['day', 'month'],
  },
];

export interface SeriesKind {
  metric: SeriesMetric;
  group_by: SeriesGrouping;
  bucket: Bucket;
}

/** The source that the series is read from; undefined: no record has this metric in these groups and buckets. */
export const sourceOf = ({ metric, group_by, bucket }: SeriesKind): SeriesSource | undefined =>
  sources.find(
    ({ metrics, groupings, buckets }) =>
      metrics.includes(metric) && groupings.includes(group_by) && buckets.includes(bucket),
  )?.source;

const clocks: Record<SeriesSource, SeriesClock> = {
  job_days: 'job_created',
  jobs: 'job_created',
  ledger_days: 'ledger',
  call_hours: 'call_finished',
  call_days: 'call_finished',
};

export const clockOf = (source: SeriesSource): SeriesClock => clocks[source];
