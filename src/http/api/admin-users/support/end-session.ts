import { writeRepeatableEntry } from '../../../../db/audit/audit-entry.ts';
import { AdminSession } from '../../../../db/entities/admin-session.ts';
import type { UserCaller } from '../../../../services/caller.ts';
import type { RequestContext } from '../../../route.ts';

/** Ends the session of this caller, with its audit entry. */
export const endSession = (context: RequestContext, { userId, sessionId }: UserCaller): Promise<void> =>
  context.deps.database.transaction(async (entities) => {
    await entities.nativeUpdate(AdminSession, { session_id: sessionId }, { is_revoked: true });
    await writeRepeatableEntry(entities, context, {
      action: 'logout',
      resource_type: 'admin_user',
      resource_id: userId,
    });
  });
