import type { UsageSeries } from '../../api/types.ts';
import type { JobListSearch } from '../../components/jobs/job-search.ts';
import type { FilterSearch } from '../../components/ui/list/filters.ts';

type ListOf = { to: '/jobs'; search: JobListSearch } | { to: '/ledger'; search: FilterSearch<'team' | 'organization'> };

/**
 * The list of a group; without a key that of all groups. Calls have none: they belong to jobs of any day. Neither have jobs without a value:
 * no filter finds them.
 */
export function toListOf({ clock, group_by }: UsageSeries, groupKey: string | null | undefined): ListOf | undefined {
  const isOne = groupKey !== undefined && group_by !== 'none';
  if (clock === 'call_finished' || groupKey === null) return undefined;
  if (clock === 'ledger') {
    const one =
      group_by === 'team_id' ? { team: groupKey } : group_by === 'organization_id' ? { organization: groupKey } : {};
    return { to: '/ledger', search: isOne ? one : {} };
  }
  const search = isOne ? toJobList(group_by, groupKey) : {};
  return search && { to: '/jobs', search };
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
