import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { TeamAccessGroup, TeamModelGroup } from '../entities/team-grants.ts';
import { upstreamChange } from '../upstream-changes.ts';
import { assignGroups } from './assign-groups.ts';
import type { Grants } from './resolve-grants.ts';

/** Notes, in the caller's transaction, that the upstream has to hear of the team. */
export const noteUpstreamChange = (entities: SqlEntityManager, teamId: string) =>
  entities.execute(`with changed as (select ?::text as team_id) ${upstreamChange('changed')}`, [teamId], 'run');

/** Every group of the kinds that are given, in the caller's transaction; the others stay. */
export async function replaceGroups(
  entities: SqlEntityManager,
  teamId: string,
  grants: Partial<Grants>,
): Promise<void> {
  if (grants.modelGroupIds) await entities.nativeDelete(TeamModelGroup, { team_id: teamId });
  if (grants.accessGroupIds) await entities.nativeDelete(TeamAccessGroup, { team_id: teamId });
  await assignGroups(entities, teamId, grants);
  await noteUpstreamChange(entities, teamId);
}
