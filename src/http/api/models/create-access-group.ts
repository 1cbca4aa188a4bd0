import { CreateModelAccessGroup, ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { findModelAliases } from '../../../db/models/find-named-models.ts';
import { createOnce } from '../../../db/sql/create-once.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './support/serialize-access-group.ts';

export const createAccessGroup = route(
  {
    method: 'post',
    path: '/api/model-access-groups/create',
    summary: 'Create a model access group',
    description:
      'Lists the aliases that its teams may request. Teams are assigned to the group when they are created or changed.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: { schema: CreateModelAccessGroup },
    response: ModelAccessGroupResponse,
    errors: ['access_group_exists', 'model_alias_not_found'],
    example: {
      body: {
        group_name: 'standard',
        display_name: 'General chat',
        description: 'For conversations and summaries',
        model_aliases: ['report-writer'],
      },
      response: { teams: [] },
    },
  },
  async (context) => {
    const { deps, body, newId } = context;
    const { group_name, display_name, description } = body;
    const model_access_group_id = newId('model_access_group');
    const create = () =>
      deps.database.transaction(async (entities) => {
        await lockChanges(entities, 'model access');
        const aliases = await findModelAliases(entities, body.model_aliases ?? []);
        const group = entities.create(ModelAccessGroup, {
          model_access_group_id,
          group_name,
          display_name,
          description,
          aliases,
        });
        await entities.persist(group).flush();
        await writeAuditEntry(entities, context, {
          action: 'created_model_access_group',
          resource_type: 'model_access_group',
          resource_id: group_name,
          details: { model_aliases: body.model_aliases ?? [] },
        });
        return group;
      });
    const entities = deps.database.entities();
    const findOwn = () => entities.findOne(ModelAccessGroup, { model_access_group_id }, { populate: ['aliases'] });
    const group = await createOnce(create, findOwn);
    if (!group) throw refuse('access_group_exists', group_name);
    return serializeAccessGroup(entities, group);
  },
);
