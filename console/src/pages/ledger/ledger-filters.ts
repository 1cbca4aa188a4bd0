import type { Filters } from '../../components/ui/list/filters.ts';

export const ledgerFilters = {
  type: {
    label: 'Type',
    isInBar: true,
    options: [
      { value: 'deduction', label: 'Deductions' },
      { value: 'allocation', label: 'Allocations' },
      { value: 'refund', label: 'Refunds' },
      { value: 'adjustment', label: 'Adjustments' },
    ],
  },
  job: { label: 'Job', hint: 'Its whole id' },
  team: { label: 'Team', hint: 'Its id', offers: 'team_id' },
  organization: { label: 'Organization', hint: 'Its id', offers: 'organization_id' },
} satisfies Filters<string>;

export type LedgerFilter = keyof typeof ledgerFilters;

/** A team sees its own rows only. */
export const ledgerFiltersOfTeam = {
  ...ledgerFilters,
  team: { ...ledgerFilters.team, isInBar: true },
  organization: { ...ledgerFilters.organization, isInBar: true },
} satisfies Filters<string>;
