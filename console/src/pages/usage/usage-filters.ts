import type { Filters } from '../../components/ui/list/filters.ts';

export const usageFilters = {
  team: { label: 'Team', hint: 'Its id', offers: 'team_id' },
  organization: { label: 'Organization', hint: 'Its id', offers: 'organization_id' },
} satisfies Filters<string>;

export type UsageFilter = keyof typeof usageFilters;
