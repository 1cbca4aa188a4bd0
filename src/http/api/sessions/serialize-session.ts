import type { Config } from '../../../config.ts';
import type { Session } from '../../../contracts/sessions.ts';
import { type Holder, permissionsOf } from '../../../domain/permissions.ts';
import type { CallerSession } from '../../../services/sessions/get-session.ts';
import { version } from '../../../version.ts';
import { serializeAdminUser } from '../admin-users/serialize-admin-user.ts';

/** The owner of the session; null where it is nobody's of this kind. */
function serializeOwner(session: CallerSession): Pick<Session, 'kind' | 'user' | 'team' | 'role'> {
  if (session.kind === 'platform') return { kind: 'admin', user: null, team: null, role: null };
  if (session.kind === 'user') {
    const { user } = session;
    return { kind: 'admin', user: serializeAdminUser(user), team: null, role: user.role };
  }
  const { team_id, team_alias, organization_id } = session.team;
  const team = { team_id, team_alias, organization_id, organization_name: session.organizationName };
  return { kind: 'team', user: null, team, role: null };
}

function permissionHolder(session: CallerSession): Holder {
  if (session.kind === 'platform') return 'platform key';
  return session.kind === 'user' ? session.user.role : session.holder;
}

export const serializeSession = (session: CallerSession, config: Config): Session => ({
  ...serializeOwner(session),
  viewer: session.kind === 'team' && session.viewer ? serializeAdminUser(session.viewer) : null,
  permissions: [...permissionsOf(permissionHolder(session))],
  expires_at: (session.kind === 'platform' ? null : session.expiresAt)?.toISOString() ?? null,
  sees_cost: session.kind !== 'team' || config.SHOW_COST_TO_TEAMS,
  support_contact: config.SUPPORT_CONTACT ?? null,
  idle_timeout_seconds: config.CONSOLE_IDLE_TIMEOUT / 1_000,
  version,
  server_time: new Date().toISOString(),
});
