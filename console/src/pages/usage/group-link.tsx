import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UsageSeries } from '../../api/types.ts';
import type { JobListSearch } from '../../components/jobs/job-search.ts';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';
import type { UsageFilter } from './usage-filters.ts';

interface GroupLinkProps {
  series: UsageSeries & Ranged;
  filters: FilterSearch<UsageFilter>;
  /** The value of the field; null for what has no value, undefined for all groups. */
  groupKey: string | null | undefined;
  children: ReactNode;
}

/** Links a figure to the list whose sum it is. Calls have none: they belong to jobs of any day. */
export function GroupLink({ series, filters, groupKey, children }: GroupLinkProps) {
  const { clock, group_by } = series;
  const days = linkedRange(series);
  const isOne = groupKey !== undefined && group_by !== 'none';
  if (clock === 'ledger') {
    const key = groupKey ?? undefined;
    const one = group_by === 'team_id' ? { team: key } : group_by === 'organization_id' ? { organization: key } : {};
    return (
      <Link to="/ledger" search={{ ...days, ...filters, ...(isOne && one) }}>
        {children}
      </Link>
    );
  }
  const one = isOne && groupKey !== null ? toJobList(group_by, groupKey) : {};
  if (clock === 'call_finished' || groupKey === null || !one) return children;
  return (
    <Link to="/jobs" search={{ ...days, ...filters, ...one }}>
      {children}
    </Link>
  );
}

/** The filter of the list of jobs for a group. */
function toJobList(group_by: UsageSeries['group_by'], key: string): JobListSearch | undefined {
  switch (group_by) {
    case 'organization_id':
      return { organization: key };
    case 'team_id':
      return { team: key };
    case 'job_type':
      return { type: key };
    case 'user_id':
      return { user: key };
    case 'outcome':
      return { status: statusesOf(key) };
    default:
      return undefined;
  }
}

const statusesOf = (outcome: string): JobListSearch['status'] =>
  outcome === 'open' ? ['pending', 'in_progress'] : [outcome as 'completed' | 'failed' | 'cancelled'];
