import { type FilterSearch, readFilters } from '../../components/ui/list/filters.ts';
import type { Bucket } from '../../url/answered-range.ts';
import { oneIn, textIn } from '../../url/search-text.ts';
import {
  buckets,
  type Comparison,
  comparisons,
  type Grouping,
  groupings,
  type Metric,
  metrics,
} from './usage-choices.ts';
import { type UsageFilter, usageFilters } from './usage-filters.ts';

export interface UsageSearch extends FilterSearch<UsageFilter> {
  metric?: Metric;
  by?: Grouping;
  bucket?: Bucket;
  /** Whether the period before is shown too; without it, it is where that costs little. */
  compare?: Comparison;
  /** The key of the group that is marked in the chart. */
  group?: string;
}

export const readUsageSearch = (search: Record<string, unknown>): UsageSearch => ({
  ...readFilters(usageFilters, search),
  metric: oneIn(search, 'metric', metrics),
  by: oneIn(search, 'by', groupings),
  bucket: oneIn(search, 'bucket', buckets),
  compare: oneIn(search, 'compare', comparisons),
  group: textIn(search, 'group'),
});
