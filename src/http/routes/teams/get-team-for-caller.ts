import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { findCurrentSealedKey, findSealedKey, viewCurrentSealedKey } from '../../../db/keys/find-sealed-key.ts';
import { findTeam, type TeamRow, teamExists } from '../../../db/teams/find-team.ts';
import { refuse } from '../../../errors.ts';
import { type Caller, requireTeam } from '../../auth/caller.ts';
import type { Deps } from '../../ports.ts';
import type { RequestContext } from '../../route.ts';

/** The caller's own team, or any for an admin; compared before it is looked up. `spec 1.2` */
export async function getTeamForCaller(deps: Deps, caller: Caller, teamId: string): Promise<TeamRow> {
  requireTeam(caller, teamId);
  const team = await findTeam(deps.database, teamId);
  if (!team) throw refuse('team_not_found', teamId);
  return team;
}

/** The same if only its existence matters: a team's key proves that its own team exists. */
export async function requireOwnTeam(deps: Deps, caller: Caller, teamId: string): Promise<void> {
  requireTeam(caller, teamId);
  if (caller.kind !== 'team' && !(await teamExists(deps.database, teamId))) throw refuse('team_not_found', teamId);
}

/** The current key of a team that this request made, in clear. */
export async function currentKey({ database, secrets }: Deps, teamId: string): Promise<string> {
  const sealed = await findCurrentSealedKey(database, teamId);
  if (!sealed) throw refuse('team_has_no_key', teamId);
  return secrets.open(sealed, teamId);
}

/**
 * The key that this caller may see, in clear: a team is shown the key that it came with, never a successor of it. Only an admin is
 * shown the current one, which is audited.
 */
export async function keyFor(context: RequestContext, teamId: string): Promise<string> {
  const { deps, caller, newId } = context;
  const sealed =
    caller.kind === 'team'
      ? await findSealedKey(deps.database, caller.key.hash)
      : await viewCurrentSealedKey(
          deps.database,
          teamId,
          auditEntry(newId('audit'), context, { action: 'viewed_key', resource_type: 'team', resource_id: teamId }),
        );
  if (!sealed) throw caller.kind === 'team' ? refuse('key_invalid') : refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}
