import { AdminUserParams, AdminUserResponse, UpdateAdminUser } from '../../../contracts/admin-users.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import type { AdminUser } from '../../../db/entities/admin-user.ts';
import { mayManage } from '../../../domain/admin-roles.ts';
import { refuse } from '../../../errors.ts';
import { userOf } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { lockAsCaller, manageableUser, requireAnotherOwner } from './support/manageable-user.ts';
import { serializeAdminUser } from './support/serialize-admin-user.ts';

const isActiveOwner = ({ role, is_active }: Pick<AdminUser, 'role' | 'is_active'>) => role === 'owner' && is_active;

export const updateAdminUser = route(
  {
    method: 'put',
    path: '/api/admin-users/{user_id}',
    summary: 'Change an admin user',
    description: 'Named fields are replaced. Deactivation ends the sessions of the user.',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    params: AdminUserParams,
    body: { schema: UpdateAdminUser },
    response: AdminUserResponse,
    errors: ['role_insufficient', 'user_not_found', 'last_owner'],
    example: {
      body: { role: 'admin' },
      response: {
        user_id: 'd41a7e95-08b3-4f62-9c1d-72e5b0f8a634',
        email: 'alan@example.com',
        display_name: 'Alan Turing',
        role: 'admin',
        last_login: null,
      },
    },
  },
  async (context) => {
    const { deps, params, body } = context;
    return deps.database.transaction(async (entities) => {
      const own = await lockAsCaller(entities, userOf(context.caller));
      if (body.role && !mayManage(own.role, body.role)) throw refuse('role_insufficient');
      const user = await manageableUser(entities, own, params.user_id);
      const after = {
        display_name: body.display_name ?? user.display_name,
        role: body.role ?? user.role,
        is_active: body.is_active ?? user.is_active,
        metadata: body.metadata ?? user.metadata,
      };
      if (isActiveOwner(user) && !isActiveOwner(after)) await requireAnotherOwner(entities, user);
      entities.assign(user, after, { mergeObjectProperties: false });
      await entities.flush();
      if (!user.is_active) await entities.nativeUpdate(AdminSession, { user_id: user.user_id }, { is_revoked: true });
      await writeAuditEntry(entities, context, {
        action: 'updated_user',
        resource_type: 'admin_user',
        resource_id: user.user_id,
        details: { email: user.email, role: user.role, is_active: user.is_active, changed: Object.keys(body) },
      });
      return serializeAdminUser(user);
    });
  },
);
