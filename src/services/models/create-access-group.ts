import type { z } from 'zod';
import type { CreateModelAccessGroup } from '../../contracts/model-access-groups.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAccessGroup } from '../../db/entities/model-access.ts';
import { type AccessGroupWithTeams, withTeams } from '../../db/models/read-access-groups.ts';
import { createOnce } from '../../db/sql/create-once.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { descriptionOf } from './model-fields.ts';
import { requireModelAliases } from './named-models.ts';

/** Creates an access group. A request that is executed again finds the group that it has created. */
export async function createAccessGroup(
  context: ServiceContext,
  creation: z.output<typeof CreateModelAccessGroup>,
): Promise<AccessGroupWithTeams> {
  const { database } = context.deps;
  const { group_name } = creation;
  const alias_names = creation.model_aliases ?? [];
  const model_access_group_id = context.newId('model_access_group');
  const create = () =>
    database.transaction(async (entities) => {
      await lockChanges(entities, 'model access');
      const aliases = await requireModelAliases(entities, alias_names);
      const group = entities.create(ModelAccessGroup, {
        model_access_group_id,
        group_name,
        ...descriptionOf(creation),
        aliases,
      });
      await entities.persist(group).flush();
      await writeAuditEntry(entities, context, {
        action: 'created_model_access_group',
        resource_type: 'model_access_group',
        resource_id: group_name,
        details: { model_aliases: alias_names },
      });
      return group;
    });
  const entities = database.entities();
  const findOwn = () => entities.findOne(ModelAccessGroup, { model_access_group_id }, { populate: ['aliases'] });
  const group = await createOnce(create, findOwn);
  if (!group) throw refuse('access_group_exists', group_name);
  const [created] = await withTeams(entities, [group]);
  return created!;
}
