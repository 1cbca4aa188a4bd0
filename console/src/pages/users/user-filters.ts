import type { AdminUser } from '../../api/types.ts';
import type { Filters } from '../../components/ui/list/filters.ts';

export const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
] as const;

/** What each role may do, in short. */
export const roleHints: Record<AdminUser['role'], string> = {
  owner: 'Manages the platform and every account',
  admin: 'Manages the platform, and accounts of the role user',
  user: 'Has only its own account',
};

export const userFilters = {
  q: { label: 'Contains', isInBar: true },
  role: { label: 'Role', isInBar: true, options: roles },
} satisfies Filters<string>;

export type UserFilter = keyof typeof userFilters;
