import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { TeamAccessGroup, TeamModelGroup } from '../entities/team-grants.ts';
import { assignGroups } from './assign-groups.ts';
import { noteUpstreamChange } from './note-upstream-change.ts';
import type { Grants } from './resolve-grants.ts';

/** Replaces the groups of the given kinds, in the caller's transaction; the other kinds stay. */
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
