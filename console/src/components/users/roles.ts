import type { AdminUser } from '../../api/types.ts';

export type Role = AdminUser['role'];

export const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
] as const;

/** What each role may do, in short. */
export const roleHints: Record<Role, string> = {
  owner: 'Manages the platform and every account',
  admin: 'Manages the platform, and accounts of the role user',
  user: 'Has only its own account',
};
