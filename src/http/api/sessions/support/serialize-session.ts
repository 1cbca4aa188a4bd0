import type { AdminUserResponse } from '../../../../contracts/admin-users.ts';
import type { Session } from '../../../../contracts/sessions.ts';
import { findOrganization } from '../../../../db/organizations/find-organization.ts';
import { findTeam } from '../../../../db/teams/find-team.ts';
import { type Holder, permissionsOf } from '../../../../domain/permissions.ts';
import { refuse } from '../../../../errors.ts';
import { version } from '../../../../version.ts';
import type { Deps } from '../../../ports.ts';

/** What every answer about a session has. */
const shared = ({ config }: Pick<Deps, 'config'>, holder: Holder, expiresAt: Date | null) => ({
  permissions: [...permissionsOf(holder)],
  expires_at: expiresAt?.toISOString() ?? null,
  idle_timeout_seconds: config.CONSOLE_IDLE_TIMEOUT / 1_000,
  version,
  server_time: new Date().toISOString(),
});

export const sessionOfUser = (deps: Deps, user: AdminUserResponse, expiresAt: Date): Session => ({
  kind: 'admin',
  user,
  team: null,
  role: user.role,
  ...shared(deps, user.role, expiresAt),
});

export const sessionOfPlatform = (deps: Deps): Session => ({
  kind: 'admin',
  user: null,
  team: null,
  role: null,
  ...shared(deps, 'platform key', null),
});

export async function sessionOfTeam(
  deps: Deps,
  teamId: string,
  holder: 'team key' | 'team session',
  expiresAt: Date | null,
): Promise<Session> {
  const team = await findTeam(deps.database, teamId);
  if (!team) throw refuse('team_not_found', teamId);
  const { team_id, team_alias, organization_id } = team;
  const organization = await findOrganization(deps.database, organization_id);
  return {
    kind: 'team',
    user: null,
    team: { team_id, team_alias, organization_id, organization_name: organization?.name ?? null },
    role: null,
    ...shared(deps, holder, expiresAt),
  };
}
