import type { Filters } from '../../components/ui/list/filters.ts';
import { roles } from '../../components/users/roles.ts';

export const userFilters = {
  q: { label: 'Contains', isInBar: true },
  role: { label: 'Role', isInBar: true, options: roles },
} satisfies Filters<string>;

export type UserFilter = keyof typeof userFilters;
