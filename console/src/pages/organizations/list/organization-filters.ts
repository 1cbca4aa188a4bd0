import type { Filters } from '../../../components/ui/list/filters.ts';

export const organizationFilters = {
  q: { label: 'Contains', isInBar: true },
  state: {
    label: 'Status',
    isInBar: true,
    options: [
      { value: 'active', label: 'Active' },
      { value: 'suspended', label: 'Suspended' },
      { value: 'deleted', label: 'Deleted' },
    ],
  },
} satisfies Filters<string>;

export type OrganizationFilter = keyof typeof organizationFilters;
