import { causeFilters } from '../../components/errors/error-filters.ts';
import type { Filters } from '../../components/ui/list/filters.ts';

export const callFilters = {
  ...causeFilters,
  errorKind: { ...causeFilters.errorKind, isInBar: true },
  team: { label: 'Team', hint: 'Its id', offers: 'team_id', isForAdmins: true },
  organization: { label: 'Organization', hint: 'Its id', offers: 'organization_id', isForAdmins: true },
} as const satisfies Filters<string>;
