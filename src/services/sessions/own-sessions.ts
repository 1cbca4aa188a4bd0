import {
  endOwnSession as endOne,
  endOtherSessions as endOthers,
  listOwnSessions as list,
  type OwnSessionRow,
} from '../../db/admin-users/own-sessions.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { refuse } from '../../errors.ts';
import { requireUser } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** The newest sessions of the caller that have not ended. */
export const listOwnSessions = ({ deps, caller }: ServiceContext): Promise<OwnSessionRow[]> =>
  list(deps.database, requireUser(caller).userId);

/** Ends one session of the caller. */
export async function endOwnSession(context: ServiceContext, session_id: string): Promise<void> {
  const { deps, caller, newId } = context;
  const audit_entry = auditEntry(newId('audit'), context, {
    action: 'ended_session',
    resource_type: 'admin_session',
    resource_id: session_id,
  });
  const change = { user_id: requireUser(caller).userId, session_id, audit_entry };
  if (!(await endOne(deps.database, change))) throw refuse('session_not_found', session_id);
}

/** Ends every session of the caller but the one of this request. Returns how many. */
export function endOtherSessions(context: ServiceContext): Promise<number> {
  const { deps, caller, newId } = context;
  const { userId: user_id, sessionId: session_id } = requireUser(caller);
  const audit_entry = auditEntry(newId('audit'), context, {
    action: 'ended_other_sessions',
    resource_type: 'admin_user',
    resource_id: user_id,
  });
  return endOthers(deps.database, { user_id, session_id, audit_entry });
}
