import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { findKeyEnd } from '../../db/keys/find-key-end.ts';
import { findOrganization } from '../../db/organizations/find-organization.ts';
import { findTeam, type TeamRow } from '../../db/teams/find-team.ts';
import { refuse } from '../../errors.ts';
import type { TeamCaller, UserCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

/** Who is signed in, by whatever credential. */
export type CallerSession = { kind: 'platform' } | { kind: 'user'; user: AdminUser; expiresAt: Date } | TeamSession;

interface TeamSession {
  kind: 'team';
  holder: 'team key' | 'team session' | 'team view';
  /** Who views the console as the team. */
  viewer?: AdminUser;
  team: TeamRow;
  organizationName: string | null;
  /** Null for a key without an end. */
  expiresAt: Date | null;
}

/** The session of the caller, or the key that stands for one. */
export async function getSession({ deps, caller }: ServiceContext): Promise<CallerSession> {
  if (caller.kind === 'user') return getSessionOfUser(deps, caller);
  return caller.kind === 'team' ? getSessionOfTeam(deps, caller) : { kind: 'platform' };
}

async function getSessionOfUser(
  deps: ServiceDeps,
  { userId: user_id, sessionId: session_id }: UserCaller,
): Promise<CallerSession> {
  const entities = deps.database.entities();
  const user = await entities.findOne(AdminUser, { user_id });
  const session = await entities.findOne(AdminSession, { session_id });
  if (!user || !session) throw refuse('session_invalid');
  return { kind: 'user', user, expiresAt: session.expires_at };
}

async function getSessionOfTeam(deps: ServiceDeps, { teamId, key, cookie, viewer }: TeamCaller): Promise<TeamSession> {
  if (cookie && viewer) {
    const user = await deps.database.entities().findOne(AdminUser, { user_id: viewer.userId });
    if (!user) throw refuse('session_invalid');
    return { ...(await readTeamSession(deps, teamId, 'team view', cookie.expiresAt)), viewer: user };
  }
  if (cookie) return readTeamSession(deps, teamId, 'team session', cookie.expiresAt);
  return readTeamSession(deps, teamId, 'team key', await findKeyEnd(deps.database, key.hashes));
}

/** The team of a session or key, with its organization. */
export async function readTeamSession(
  { database }: ServiceDeps,
  teamId: string,
  holder: TeamSession['holder'],
  expiresAt: Date | null,
): Promise<TeamSession> {
  const team = await findTeam(database, teamId);
  if (!team) throw refuse('team_not_found', teamId);
  const organization = await findOrganization(database, team.organization_id);
  return { kind: 'team', holder, team, organizationName: organization?.name ?? null, expiresAt };
}
