import type { z } from 'zod';
import type { CreateModelGroup } from '../../contracts/model-groups.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelGroup } from '../../db/entities/model-group.ts';
import { createOnce } from '../../db/sql/create-once.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { descriptionOf, memberRows, toSentFields } from './model-fields.ts';

/** Creates a model group. A request that is executed again finds the group that it has created. */
export async function createModelGroup(
  context: ServiceContext,
  creation: z.output<typeof CreateModelGroup>,
): Promise<ModelGroup> {
  const { database } = context.deps;
  const { group_name } = creation;
  const model_group_id = context.newId('model_group');
  const members = memberRows(creation.models ?? []);
  const create = () =>
    database.transaction(async (entities) => {
      const group = entities.create(ModelGroup, {
        model_group_id,
        group_name,
        ...descriptionOf(creation),
        ...toSentFields(creation),
        members,
      });
      await entities.persist(group).flush();
      await writeAuditEntry(entities, context, {
        action: 'created_model_group',
        resource_type: 'model_group',
        resource_id: group_name,
        details: { models: members.map(({ model_name }) => model_name) },
      });
      return group;
    });
  const findOwn = () => database.entities().findOne(ModelGroup, { model_group_id }, { populate: ['members'] });
  const group = await createOnce(create, findOwn);
  if (!group) throw refuse('model_group_exists', group_name);
  return group;
}
