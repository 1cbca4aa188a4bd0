import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { ModelAccessGroup } from '../entities/model-access.ts';
import { TeamAccessGroup } from '../entities/team-grants.ts';

/** The ids of the teams of each access group, by the group's id. */
export async function listTeamsOfAccessGroups(
  entities: SqlEntityManager,
  groups: readonly ModelAccessGroup[],
): Promise<Map<string, string[]>> {
  const ids = groups.map((group) => group.model_access_group_id);
  const rows = await entities.find(
    TeamAccessGroup,
    { model_access_group_id: { $in: ids } },
    { orderBy: { team_id: 'asc' } },
  );
  const teamsOf = (id: string) => rows.filter((row) => row.model_access_group_id === id).map((row) => row.team_id);
  return new Map(ids.map((id) => [id, teamsOf(id)]));
}
