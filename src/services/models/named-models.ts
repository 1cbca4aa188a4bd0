import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { ModelAccessGroup, ModelAlias } from '../../db/entities/model-access.ts';
import { refuse } from '../../errors.ts';

/** The aliases of these names. Refuses with 404 for the first name without one. */
export async function requireModelAliases(entities: SqlEntityManager, names: readonly string[]): Promise<ModelAlias[]> {
  const aliases = await entities.find(ModelAlias, { alias_name: { $in: [...names] } });
  const unknown = names.find((name) => !aliases.some((alias) => alias.alias_name === name));
  if (unknown !== undefined) throw refuse('model_alias_not_found', unknown);
  return aliases;
}

/** The access groups of these names. Refuses with 404 for the first name without one. */
export async function requireAccessGroups(
  entities: SqlEntityManager,
  names: readonly string[],
): Promise<ModelAccessGroup[]> {
  const groups = await entities.find(ModelAccessGroup, { group_name: { $in: [...names] } });
  const unknown = names.find((name) => !groups.some((group) => group.group_name === name));
  if (unknown !== undefined) throw refuse('access_group_not_found', unknown);
  return groups;
}
