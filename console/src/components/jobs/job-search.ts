import type { Query } from '../../api/request.ts';
import { oneIn } from '../../url/search-text.ts';
import { type RangeSearch, toMoments } from '../../url/time-range.ts';
import { toCauseQuery } from '../errors/error-filters.ts';
import { readFilters } from '../ui/list/filters.ts';
import { type JobFilterSearch, jobFilters } from './job-filters.ts';

/** The orders of a list, which indexes have, as the api names them. */
const orders = {
  newest: { label: 'Newest first', query: {} },
  oldest: { label: 'Oldest first', query: { order: 'asc' } },
  ended: { label: 'Last ended first', query: { sort_by: 'completed_at' } },
  type: { label: 'By job type', query: { sort_by: 'job_type', order: 'asc' } },
} as const;
type Order = keyof typeof orders;
const otherOrders = ['oldest', 'ended', 'type'] as const satisfies Order[];

export const orderOptions = Object.entries(orders).map(([value, { label }]) => ({ value: value as Order, label }));

export const orderLabel = (order: Order): string => orders[order].label;

/**
 * A list of jobs, as in the URL of the list and of each receipt that was opened from it. Without an order the newest job is first. Next and
 * previous of a receipt are by the time of creation in each order.
 */
export interface JobListSearch extends JobFilterSearch {
  order?: (typeof otherOrders)[number];
}

export const readJobList = (search: Record<string, unknown>): JobListSearch => ({
  ...readFilters(jobFilters, search),
  order: oneIn(search, 'order', otherOrders),
});

/** Keeps only the list and its range, without what is open. Each name is there, so that a link with it replaces those of the page. */
export function pickList(search: JobListSearch & RangeSearch): JobListSearch & RangeSearch {
  const { range, from, to } = search;
  return { ...readJobList(search as Record<string, unknown>), range, from, to };
}

/** The parameters of the list, its histogram and its number of rows. */
export function toFilters(search: JobListSearch & RangeSearch, now?: number): Query {
  const { from, to } = toMoments(search, now);
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
    key_id: search.key,
    model_group: search.model,
    model: search.concreteModel,
    ...toCauseQuery(search),
    charged: search.charged,
    has_failed_calls: search.failedCalls,
    min_cost_usd: search.minCost,
    max_cost_usd: search.maxCost,
    min_duration_ms: search.minDuration,
    max_duration_ms: search.maxDuration,
    ...Object.fromEntries(metadata),
  };
}

/** The same filter for a request with a body, whose numbers are numbers. */
export function toFilterBody(search: JobListSearch & RangeSearch, now?: number): Record<string, unknown> {
  const metadata = (search.metadata ?? []).map((pair) => {
    const cut = pair.indexOf('=');
    return [pair.slice(0, cut), pair.slice(cut + 1)];
  });
  const entries = Object.entries(toFilters({ ...search, metadata: undefined }, now)).map(([name, value]) => [
    name,
    typeof value === 'string' ? typed(name, value) : value,
  ]);
  return { ...Object.fromEntries(entries), ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }) };
}

const typed = (name: string, value: string): unknown =>
  /^(min|max)_/.test(name)
    ? Number(value)
    : name === 'charged' || name === 'has_failed_calls'
      ? value === 'true'
      : value;

/** The parameters of the list, with its order. */
export const toListQuery = (search: JobListSearch & RangeSearch): Query => ({
  ...toFilters(search),
  ...orders[search.order ?? 'newest'].query,
});

/** Identifies the list in the cache. */
export const toListKey = (search: JobListSearch & RangeSearch): readonly unknown[] => [pickList(search)];
export const toHistogramKey = (search: JobListSearch & RangeSearch): readonly unknown[] => [
  { ...pickList(search), order: undefined },
];
