import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { ModelAccessGroupResponse } from '../../../../contracts/model-access-groups.ts';
import type { ModelAccessGroup } from '../../../../db/entities/model-access.ts';
import { listTeamsOfAccessGroups } from '../../../../db/models/list-teams-of-access-groups.ts';

/** For groups whose aliases are loaded. */
export async function serializeAccessGroups(
  entities: SqlEntityManager,
  groups: readonly ModelAccessGroup[],
): Promise<ModelAccessGroupResponse[]> {
  const teams = await listTeamsOfAccessGroups(entities, groups);
  return groups.map((group) => ({
    model_access_group_id: group.model_access_group_id,
    group_name: group.group_name,
    display_name: group.display_name ?? null,
    description: group.description ?? null,
    status: group.status,
    model_aliases: group.aliases
      .getItems()
      .map((alias) => alias.alias_name)
      .sort(),
    teams: teams.get(group.model_access_group_id) ?? [],
    created_at: group.created_at.toISOString(),
    updated_at: group.updated_at.toISOString(),
  }));
}

export async function serializeAccessGroup(
  entities: SqlEntityManager,
  group: ModelAccessGroup,
): Promise<ModelAccessGroupResponse> {
  const [shown] = await serializeAccessGroups(entities, [group]);
  return shown!;
}
