import type { Filters } from '../../components/list/filters.ts';

export const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
] as const;

export const userFilters = {
  q: { label: 'Contains', isInBar: true },
  role: { label: 'Role', isInBar: true, options: roles },
} satisfies Filters<string>;

export type UserFilter = keyof typeof userFilters;
