import type { Filters } from '../../../components/ui/list/filters.ts';

export const teamFilters = {
  q: { label: 'Contains', isInBar: true },
  state: {
    label: 'Status',
    isInBar: true,
    options: [
      { value: 'active', label: 'Active' },
      { value: 'suspended', label: 'Suspended' },
    ],
  },
  organization: { label: 'Organization', hint: 'Its id' },
} satisfies Filters<string>;

export type TeamFilter = keyof typeof teamFilters;
