import { Message } from '../../../contracts/fields.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { AdminSession } from '../../../db/entities/admin-session.ts';
import { userOf } from '../../auth/caller.ts';
import { route } from '../../route.ts';

export const logOut = route(
  {
    method: 'post',
    path: '/api/admin-users/logout',
    summary: 'End the session of this access token',
    tag: 'Admin users',
    idempotent: false,
    auth: ['user'],
    response: Message,
    example: { response: { message: 'Logged out successfully' } },
  },
  async (context) => {
    const { userId, sessionId } = userOf(context.caller);
    await context.deps.database.transaction(async (entities) => {
      await entities.nativeUpdate(AdminSession, { session_id: sessionId }, { is_revoked: true });
      await writeAuditEntry(entities, context, {
        action: 'logout',
        resource_type: 'admin_user',
        resource_id: userId,
      });
    });
    return { message: 'Logged out successfully' };
  },
);
