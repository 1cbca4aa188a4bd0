import { causeFilters } from '../../components/errors/error-filters.ts';
import type { Filters } from '../../components/ui/list/filters.ts';

export const callFilters = {
  ...causeFilters,
  errorKind: { ...causeFilters.errorKind, isInBar: true },
  team: { label: 'Team', hint: 'Its id', isForAdmins: true },
  organization: { label: 'Organization', hint: 'Its id', isForAdmins: true },
} as const satisfies Filters<string>;
