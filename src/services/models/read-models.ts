import { ModelAccessGroup, ModelAlias } from '../../db/entities/model-access.ts';
import { ModelGroup } from '../../db/entities/model-group.ts';
import { listModelIds, type ModelSelection, newestFirst } from '../../db/models/list-model-ids.ts';
import { type AccessGroupWithTeams, withTeams } from '../../db/models/read-access-groups.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

export type { ModelAlias, ModelGroup };

type Reading = Pick<ServiceContext, 'deps'>;

/** A model group with its members. */
export async function getModelGroup({ deps }: Reading, group_name: string): Promise<ModelGroup> {
  const group = await deps.database.snapshot((entities) =>
    entities.findOne(ModelGroup, { group_name }, { populate: ['members'] }),
  );
  if (!group) throw refuse('model_group_not_found', group_name);
  return group;
}

/** A model alias with its access groups. */
export async function getModelAlias({ deps }: Reading, alias_name: string): Promise<ModelAlias> {
  const alias = await deps.database.snapshot((entities) =>
    entities.findOne(ModelAlias, { alias_name }, { populate: ['access_groups'] }),
  );
  if (!alias) throw refuse('model_alias_not_found', alias_name);
  return alias;
}

/** An access group with its aliases and teams. */
export const getAccessGroup = ({ deps }: Reading, group_name: string): Promise<AccessGroupWithTeams> =>
  deps.database.snapshot(async (entities) => {
    const group = await entities.findOne(ModelAccessGroup, { group_name }, { populate: ['aliases'] });
    if (!group) throw refuse('access_group_not_found', group_name);
    const [found] = await withTeams(entities, [group]);
    return found!;
  });

/** A page of model groups with their members, the newest first. */
export const listModelGroups = ({ deps }: Reading, selection: ModelSelection) =>
  deps.database.reports.snapshot(async (entities) => {
    const { ids, ...page } = await listModelIds(entities, 'group', selection);
    const groups = await entities.find(
      ModelGroup,
      { model_group_id: { $in: ids } },
      { populate: ['members'], strategy: 'select-in', orderBy: newestFirst('group_name') },
    );
    return { ...page, groups };
  });

/** A page of model aliases with their access groups, the newest first. */
export const listModelAliases = ({ deps }: Reading, selection: ModelSelection) =>
  deps.database.reports.snapshot(async (entities) => {
    const { ids, ...page } = await listModelIds(entities, 'alias', selection);
    const aliases = await entities.find(
      ModelAlias,
      { model_alias_id: { $in: ids } },
      { populate: ['access_groups'], strategy: 'select-in', orderBy: newestFirst('alias_name') },
    );
    return { ...page, aliases };
  });

/** A page of access groups with their aliases and teams, the newest first. */
export const listAccessGroups = ({ deps }: Reading, selection: ModelSelection) =>
  deps.database.reports.snapshot(async (entities) => {
    const { ids, ...page } = await listModelIds(entities, 'access_group', selection);
    const groups = await entities.find(
      ModelAccessGroup,
      { model_access_group_id: { $in: ids } },
      { populate: ['aliases'], strategy: 'select-in', orderBy: newestFirst('group_name') },
    );
    return { ...page, groups: await withTeams(entities, groups) };
  });
