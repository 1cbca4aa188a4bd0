import type { Session, UsageSeries } from '../../api/types.ts';
import type { Bucket } from '../../url/answered-range.ts';
import { type RangeSearch, toMoments } from '../../url/time-range.ts';

export type Metric = UsageSeries['metric'];
export type Grouping = UsageSeries['group_by'];

export const metrics = ['jobs', 'calls', 'tokens', 'cost_usd', 'credits', 'revenue_usd'] as const;
export const groupings = [
  'none',
  'organization_id',
  'team_id',
  'job_type',
  'model_group',
  'user_id',
  'outcome',
] as const;
export const buckets = ['hour', 'day', 'month'] as const;

/** The groups in which each metric is counted: `spec 19.43`. Others are not offered. */
const groupingsOf: Record<Metric, readonly Grouping[]> = {
  jobs: ['none', 'organization_id', 'team_id', 'job_type', 'user_id', 'outcome'],
  calls: ['none', 'organization_id', 'team_id', 'job_type', 'model_group', 'user_id', 'outcome'],
  tokens: ['none', 'organization_id', 'team_id', 'job_type', 'model_group', 'user_id', 'outcome'],
  cost_usd: ['none', 'organization_id', 'team_id', 'job_type', 'model_group', 'user_id', 'outcome'],
  credits: ['none', 'organization_id', 'team_id', 'job_type', 'user_id'],
  revenue_usd: ['none', 'organization_id', 'team_id', 'job_type'],
};

const hourly: readonly Metric[] = ['calls', 'tokens', 'cost_usd'];
const neverHourly: readonly Grouping[] = ['job_type', 'user_id'];

export const metricLabels: Record<Metric, string> = {
  jobs: 'Jobs',
  calls: 'Calls',
  tokens: 'Tokens',
  cost_usd: 'Cost in USD',
  credits: 'Credits',
  revenue_usd: 'Revenue in USD',
};

export const groupingLabels: Record<Grouping, string> = {
  none: 'in total',
  organization_id: 'by organization',
  team_id: 'by team',
  job_type: 'by job type',
  model_group: 'by model group',
  user_id: 'by user',
  outcome: 'by outcome',
};

export const bucketLabels: Record<Bucket, string> = { hour: 'by hour', day: 'by day', month: 'by month' };

export const comparisons = ['none', 'previous'] as const;
export type Comparison = (typeof comparisons)[number];
export const comparisonLabels: Record<Comparison, string> = { none: 'alone', previous: 'with the period before' };

/** Users have no sums, so that each job of both periods is read: only on request. */
export const comparisonFor = (by: Grouping): Comparison => (by === 'user_id' ? 'none' : 'previous');

export interface Choice {
  metric: Metric;
  by: Grouping;
  bucket: Bucket;
}

/** Who reads the figures. */
type Reader = Pick<Session, 'kind' | 'sees_cost'>;

/** A team sees neither what its credits bring in nor other teams, and costs only where they are shown. */
export const metricsFor = ({ kind, sees_cost }: Reader): Metric[] =>
  (Object.keys(groupingsOf) as Metric[]).filter(
    (metric) => (kind === 'admin' || metric !== 'revenue_usd') && (sees_cost || metric !== 'cost_usd'),
  );

export const groupingsFor = (metric: Metric, { kind }: Reader): Grouping[] =>
  groupingsOf[metric].filter((by) => kind === 'admin' || (by !== 'organization_id' && by !== 'team_id'));

export const bucketsFor = (metric: Metric, by: Grouping): Bucket[] =>
  hourly.includes(metric) && !neverHourly.includes(by) ? ['hour', 'day', 'month'] : ['day', 'month'];

/** What is shown: the choices of the URL as far as there is such a figure, and buckets of which the range has some. */
export function toChoice(search: Partial<Choice> & RangeSearch, reader: Reader): Choice {
  const metric = allowed(search.metric, metricsFor(reader)) ?? 'jobs';
  const by = allowed(search.by, groupingsFor(metric, reader)) ?? 'none';
  const possible = bucketsFor(metric, by);
  const bucket = allowed(search.bucket, possible) ?? allowed(fittingBucket(search), possible) ?? 'day';
  return { metric, by, bucket };
}

const allowed = <Value>(value: Value | undefined, values: readonly Value[]): Value | undefined =>
  values.find((one) => one === value);

const dayMs = 86_400_000;

function fittingBucket(range: RangeSearch): Bucket {
  const { from, to } = toMoments(range);
  if (!from) return 'day';
  const days = ((to ? Date.parse(to) : Date.now()) - Date.parse(from)) / dayMs;
  return days <= 3 ? 'hour' : days <= 92 ? 'day' : 'month';
}
