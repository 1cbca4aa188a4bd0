import type { Filters } from '../../components/ui/list/filters.ts';

export const usageFilters = {
  team: { label: 'Team', hint: 'Its id' },
  organization: { label: 'Organization', hint: 'Its id' },
} satisfies Filters<string>;

export type UsageFilter = keyof typeof usageFilters;
