import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UsageSeries } from '../../api/types.ts';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';
import { toListOf } from './list-of.ts';
import type { UsageFilter } from './usage-filters.ts';

interface GroupLinkProps {
  series: UsageSeries & Ranged;
  filters: FilterSearch<UsageFilter>;
  /** The value of the field; null for what has no value, undefined for all groups. */
  groupKey: string | null | undefined;
  children: ReactNode;
}

/** Links a figure to the list whose sum it is. */
export function GroupLink({ series, filters, groupKey, children }: GroupLinkProps) {
  const list = toListOf(series, groupKey);
  if (!list) return children;
  const days = linkedRange(series);
  return list.to === '/ledger' ? (
    <Link to="/ledger" search={{ ...days, ...filters, ...list.search }}>
      {children}
    </Link>
  ) : (
    <Link to="/jobs" search={{ ...days, ...filters, ...list.search }}>
      {children}
    </Link>
  );
}
