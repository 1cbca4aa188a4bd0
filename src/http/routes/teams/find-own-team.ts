import { findTeam, type TeamRow } from '../../../db/queries/find-team.ts';
import { teamExists } from '../../../db/queries/team-exists.ts';
import type { Deps } from '../../../deps.ts';
import { refuse } from '../../../errors.ts';
import { type Caller, requireTeam } from '../../caller.ts';

/** The caller's own team, or any for an admin; compared before it is looked up. `rulings.md` 1.2. */
export async function findOwnTeam(deps: Deps, caller: Caller, teamId: string): Promise<TeamRow> {
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

/** The team's current key in clear. */
export function keyOf(deps: Deps, team: TeamRow): string {
  if (!team.key_sealed) throw refuse('team_has_no_key', team.team_id);
  return deps.secrets.open(team.key_sealed, team.team_id);
}
