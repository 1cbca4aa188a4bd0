import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { TeamAccessGroup, TeamModelGroup } from '../entities/team-grants.ts';
import { recordUpstreamChange } from '../upstream-teams/record-change.ts';
import type { Grants } from './resolve-grants.ts';

/** Assigns groups to a team that has none yet: in the caller's transaction, which has inserted the team or removed its groups. */
export async function assignGroups(
  entities: SqlEntityManager,
  teamId: string,
  { modelGroupIds, accessGroupIds }: Partial<Grants>,
): Promise<void> {
  if (modelGroupIds?.length) {
    await entities.insertMany(
      TeamModelGroup,
      modelGroupIds.map((model_group_id, position) => ({ team_id: teamId, model_group_id, position })),
    );
  }
  if (accessGroupIds?.length) {
    await entities.insertMany(
      TeamAccessGroup,
      accessGroupIds.map((model_access_group_id) => ({ team_id: teamId, model_access_group_id })),
    );
  }
}

/** Replaces the groups of the given kinds, in the caller's transaction; the other kinds stay. */
export async function replaceGroups(
  entities: SqlEntityManager,
  teamId: string,
  grants: Partial<Grants>,
): Promise<void> {
  if (grants.modelGroupIds) await entities.nativeDelete(TeamModelGroup, { team_id: teamId });
  if (grants.accessGroupIds) await entities.nativeDelete(TeamAccessGroup, { team_id: teamId });
  await assignGroups(entities, teamId, grants);
  await recordUpstreamChange(entities, teamId);
}
