import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { refuse } from '../../errors.ts';
import { ModelAccessGroup, ModelAlias } from '../entities/model-access.ts';

/** The aliases of these names. Refuses with 404 for the first name without one. */
export async function findModelAliases(entities: SqlEntityManager, names: readonly string[]): Promise<ModelAlias[]> {
  const aliases = await entities.find(ModelAlias, { alias_name: { $in: [...names] } });
  const unknown = names.find((name) => !aliases.some((alias) => alias.alias_name === name));
  if (unknown !== undefined) throw refuse('model_alias_not_found', unknown);
  return aliases;
}

/** The access groups of these names. Refuses with 404 for the first name without one. */
export async function findAccessGroups(
  entities: SqlEntityManager,
  names: readonly string[],
): Promise<ModelAccessGroup[]> {
  const groups = await entities.find(ModelAccessGroup, { group_name: { $in: [...names] } });
  const unknown = names.find((name) => !groups.some((group) => group.group_name === name));
  if (unknown !== undefined) throw refuse('access_group_not_found', unknown);
  return groups;
}
