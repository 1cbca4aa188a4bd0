import type { AdminRole } from '../../domain/admin-roles.ts';
import type { Database } from '../connection/database.ts';
import type { AdminUser } from '../entities/admin-user.ts';
import { oneContains } from '../sql/contains.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';

export interface AdminUserSelection extends Omit<KeysetPage, 'limit'> {
  /** Absent: all. */
  limit?: number | undefined;
  q?: string | undefined;
  role?: AdminRole | undefined;
}

export type AdminUserRow = Omit<AdminUser, 'password_hash'>;

const where = `(:q::text is null or ${oneContains(['email', 'display_name'])}) and (:role::text is null or role = :role)`;
const listing = {
  columns:
    'user_id, email, display_name, role, is_active, metadata, created_at, last_login, second_factor_at, signs_in_by',
  keyset: {
    name: 'admin_users',
    columns: [
      { sql: 'created_at', type: 'timestamptz', direction: 'asc' },
      { sql: 'user_id', type: 'uuid', direction: 'asc' },
    ],
  },
  from: (after: string) => `admin_users where ${where} and ${after}`,
  count: `select count(*) as total from admin_users where ${where}`,
} as const;

const all = 2_147_483_647;

/** The oldest first. */
export const listAdminUsers = (database: Database, { q, role, limit = all, ...page }: AdminUserSelection) =>
  readKeysetPage<AdminUserRow>(database, listing, { q: q ?? null, role: role ?? null }, { ...page, limit });
