import { findTeam, type TeamRow, teamExists } from '../../../../db/teams/find-team.ts';
import { refuse } from '../../../../errors.ts';
import { type Caller, requireTeam } from '../../../../services/caller.ts';
import type { Deps } from '../../../ports.ts';

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
