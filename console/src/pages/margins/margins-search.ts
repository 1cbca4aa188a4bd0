import type { Margins } from '../../api/types.ts';
import { type FilterSearch, type Filters, readFilters } from '../../components/ui/list/filters.ts';
import { oneIn } from '../../url/search-text.ts';

export const marginFilters = {
  team: { label: 'Team', hint: 'Its id', offers: 'team_id' },
  organization: { label: 'Organization', hint: 'Its id', offers: 'organization_id' },
} satisfies Filters<string>;

export type MarginFilter = keyof typeof marginFilters;

const marginGroupings = ['job_type', 'team_id', 'organization_id'] as const satisfies Margins['group_by'][];

export interface MarginsSearch extends FilterSearch<MarginFilter> {
  by?: Margins['group_by'];
  bucket?: MarginBucket;
  /** Without it the period before is shown. */
  compare?: 'none';
}

export const marginBuckets = ['day', 'month'] as const;
export type MarginBucket = (typeof marginBuckets)[number];

export const readMarginsSearch = (search: Record<string, unknown>): MarginsSearch => ({
  ...readFilters(marginFilters, search),
  by: oneIn(search, 'by', marginGroupings),
  bucket: oneIn(search, 'bucket', marginBuckets),
  compare: oneIn(search, 'compare', ['none']),
});
