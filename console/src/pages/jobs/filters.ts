import type { Query } from '../../api/request.ts';
import { momentsOf, type RangeSearch } from '../../app/time-range.ts';
import type { JobSearch } from './job-search.ts';

/** The request for what the URL shows. */
export function filtersOf(search: JobSearch & RangeSearch): Query {
  const { from, to } = momentsOf(search);
  const metadata = (search.metadata ?? []).map((pair) => {
    const cut = pair.indexOf('=');
    return [`metadata.${pair.slice(0, cut)}`, pair.slice(cut + 1)] as const;
  });
  return {
    start_date: from,
    end_date: to,
    status: search.status,
    q: search.q,
    team_id: search.team,
    organization_id: search.organization,
    job_type: search.type,
    user_id: search.user,
    external_task_id: search.external,
    model_group: search.model,
    charged: search.charged,
    has_failed_calls: search.failedCalls,
    min_cost_usd: search.minCost,
    max_cost_usd: search.maxCost,
    min_duration_ms: search.minDuration,
    max_duration_ms: search.maxDuration,
    ...Object.fromEntries(metadata),
  };
}

/** What makes two lists the same one: everything but the job that is open beside it. */
export const keyOf = ({ open: _, ...search }: JobSearch & RangeSearch): readonly unknown[] => [search];

const labels: Partial<Record<keyof JobSearch, string>> = {
  status: 'Status',
  q: 'Begins with',
  team: 'Team',
  organization: 'Organization',
  type: 'Type',
  user: 'User',
  external: 'External id',
  model: 'Model group',
  charged: 'Charged',
  failedCalls: 'Failed calls',
  metadata: 'Metadata',
  minCost: 'Cost from $',
  maxCost: 'Cost to $',
  minDuration: 'Duration from ms',
  maxDuration: 'Duration to ms',
};

export interface ActiveFilter {
  name: string;
  value: string;
  /** The search without this filter. */
  without: JobSearch;
}

/** The filters that the URL has, each with the search that is left without it. */
export function activeFilters(search: JobSearch): ActiveFilter[] {
  return (Object.keys(labels) as (keyof JobSearch)[]).flatMap((key) => {
    const value = search[key];
    if (value === undefined) return [];
    const values = [value].flat();
    return values.map((one) => {
      const rest = values.filter((other) => other !== one);
      return {
        name: labels[key]!,
        value: one.replaceAll('_', ' ') === one || key !== 'status' ? one : one.replaceAll('_', ' '),
        without: { ...search, [key]: rest.length > 0 ? rest : undefined },
      };
    });
  });
}

/** The search without any filter. */
export const noFilters: JobSearch = Object.fromEntries(Object.keys(labels).map((key) => [key, undefined]));
