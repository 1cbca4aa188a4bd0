import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { findTeam, type TeamRow, teamExists } from '../../db/teams/find-team.ts';
import { listTeams as list, type TeamSelection } from '../../db/teams/list-teams.ts';
import { lockTeam } from '../../db/teams/lock-team.ts';
import { refuse } from '../../errors.ts';
import { requireTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

type Reading = Pick<ServiceContext, 'deps' | 'caller'>;

/** The caller's own team, or any for an admin; compared before it is looked up. `spec 1.2` */
export async function getTeamForCaller({ deps, caller }: Reading, teamId: string): Promise<TeamRow> {
  requireTeam(caller, teamId);
  const team = await findTeam(deps.database, teamId);
  if (!team) throw refuse('team_not_found', teamId);
  return team;
}

/** The same if only its existence matters: a team's key proves that its own team exists. */
export async function requireOwnTeam({ deps, caller }: Reading, teamId: string): Promise<void> {
  requireTeam(caller, teamId);
  if (caller.kind !== 'team' && !(await teamExists(deps.database, teamId))) throw refuse('team_not_found', teamId);
}

/** Locks the team until the transaction ends: changes of one team wait for each other. */
export async function requireLockedTeam(entities: SqlEntityManager, teamId: string): Promise<void> {
  if (!(await lockTeam(entities, teamId))) throw refuse('team_not_found', teamId);
}

/** A page of teams, the oldest first. */
export const listTeams = ({ deps }: Reading, selection: TeamSelection) => list(deps.database, selection);
