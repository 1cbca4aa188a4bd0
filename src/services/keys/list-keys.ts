import { listTeamKeys, type TeamKeyRow } from '../../db/keys/list-team-keys.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** All further keys of a team, the oldest first. */
export async function listKeys(context: ServiceContext, teamId: string): Promise<TeamKeyRow[]> {
  await requireOwnTeam(context, teamId);
  return listTeamKeys(context.deps.database, teamId);
}
