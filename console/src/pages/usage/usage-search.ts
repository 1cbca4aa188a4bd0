import type { UsageSeries } from '../../api/types.ts';
import { oneIn, textIn } from '../../app/search-text.ts';
import { type FilterSearch, readFilters } from '../../components/list/filters.ts';
import { type UsageFilter, usageFilters } from './usage-filters.ts';

export type Metric = UsageSeries['metric'];
export type Grouping = UsageSeries['group_by'];
export type Bucket = UsageSeries['bucket'];

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

export interface UsageSearch extends FilterSearch<UsageFilter> {
  metric?: Metric;
  by?: Grouping;
  bucket?: Bucket;
  /** The key of the group that is marked in the chart. */
  group?: string;
}

export const readUsageSearch = (search: Record<string, unknown>): UsageSearch => ({
  ...readFilters(usageFilters, search),
  metric: oneIn(search, 'metric', metrics),
  by: oneIn(search, 'by', groupings),
  bucket: oneIn(search, 'bucket', buckets),
  group: textIn(search, 'group'),
});
