import type { z } from 'zod';
import type { AuditQuery } from '../../contracts/admin-users.ts';
import { boundsOf } from '../../contracts/date-range.ts';
import { type AdminUserSelection, listAdminUsers as list } from '../../db/admin-users/list-admin-users.ts';
import { listAuditEntries as listEntries } from '../../db/audit/list-audit-entries.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

/** The account of the caller. */
export async function getOwnUser({ deps, caller }: ServiceContext): Promise<AdminUser> {
  const user = await deps.database.entities().findOne(AdminUser, { user_id: requireUser(caller).userId });
  if (!user) throw refuse('session_invalid');
  return user;
}

/** Whether there is an admin user, so that there is no first owner to set up. */
export const hasAdminUsers = async ({ database }: Pick<ServiceDeps, 'database'>): Promise<boolean> =>
  (await database.entities().count(AdminUser)) > 0;

/** A page of admin users, the oldest first. */
export const listAdminUsers = ({ deps }: ServiceContext, selection: AdminUserSelection) =>
  list(deps.database, selection);

/** A page of the audit log, newest first. */
export const listAuditEntries = ({ deps }: ServiceContext, query: z.output<typeof AuditQuery>) =>
  listEntries(deps.database, { ...query, ...boundsOf(query) }, query);
