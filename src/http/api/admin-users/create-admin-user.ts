import { AdminUserResponse, CreateAdminUser } from '../../../contracts/admin-users.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { isUniqueViolation } from '../../../db/connection/failures.ts';
import { AdminUser } from '../../../db/entities/admin-user.ts';
import { mayManage } from '../../../domain/admin-roles.ts';
import { refuse } from '../../../errors.ts';
import { userOf } from '../../../services/caller.ts';
import { withPasswords } from '../../limits/limit-logins.ts';
import { route } from '../../route.ts';
import { lockAsCaller } from './support/manageable-user.ts';
import { requireUncommonPassword } from './support/require-uncommon-password.ts';
import { serializeAdminUser } from './support/serialize-admin-user.ts';

export const createAdminUser = route(
  {
    method: 'post',
    path: '/api/admin-users',
    summary: 'Create an admin user',
    description: 'An owner creates users of any role, an admin those of role user.',
    tag: 'Admin users',
    idempotent: false,
    access: { audience: ['admin_user'] },
    body: { schema: CreateAdminUser },
    response: AdminUserResponse,
    errors: ['role_insufficient', 'email_registered'],
    example: {
      body: { email: 'alan@example.com', display_name: 'Alan Turing', role: 'user' },
      response: {
        user_id: 'd41a7e95-08b3-4f62-9c1d-72e5b0f8a634',
        email: 'alan@example.com',
        display_name: 'Alan Turing',
        role: 'user',
        last_login: null,
        metadata: {},
      },
    },
  },
  async (context) => {
    const { deps, caller, body, newId } = context;
    const { email, display_name, password, role, metadata } = body;
    requireUncommonPassword(deps, password, 'password');
    const password_hash = await withPasswords(context, () => deps.passwords.hash(password));
    const user_id = newId('admin_user');
    return deps.database
      .transaction(async (entities) => {
        const own = await lockAsCaller(entities, userOf(caller));
        if (!mayManage(own.role, role)) throw refuse('role_insufficient');
        const fields = { user_id, email, display_name, role, password_hash, metadata: metadata ?? {} };
        const user = entities.create(AdminUser, fields);
        await entities.persist(user).flush();
        await writeAuditEntry(entities, context, {
          action: 'created_user',
          resource_type: 'admin_user',
          resource_id: user_id,
          details: { email, role },
        });
        return serializeAdminUser(user);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? refuse('email_registered') : error;
      });
  },
);
