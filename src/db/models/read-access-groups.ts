import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { ModelAccessGroup } from '../entities/model-access.ts';
import { TeamAccessGroup } from '../entities/team-grants.ts';

/** An access group whose aliases are loaded. */
export interface AccessGroupWithTeams {
  group: ModelAccessGroup;
  /** The ids of its teams. */
  teams: string[];
}

/** The access groups with their teams, in the same order. */
export async function withTeams(
  entities: SqlEntityManager,
  groups: readonly ModelAccessGroup[],
): Promise<AccessGroupWithTeams[]> {
  const rows = await entities.find(
    TeamAccessGroup,
    { model_access_group_id: { $in: groups.map((group) => group.model_access_group_id) } },
    { orderBy: { team_id: 'asc' } },
  );
  const teamsOf = (id: string) => rows.filter((row) => row.model_access_group_id === id).map((row) => row.team_id);
  return groups.map((group) => ({ group, teams: teamsOf(group.model_access_group_id) }));
}
