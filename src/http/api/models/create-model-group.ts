import { CreateModelGroup, ModelGroupResponse } from '../../../contracts/model-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelGroup } from '../../../db/entities/model-group.ts';
import { createOnce } from '../../../db/sql/create-once.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { memberRows } from './support/member-rows.ts';
import { serializeModelGroup } from './support/serialize-model-group.ts';

export const createModelGroup = route(
  {
    method: 'post',
    path: '/api/model-groups/create',
    summary: 'Create a model group',
    description:
      'Names a primary model and its fallbacks. Members without a `priority` are tried in the order of the array; of entries with the same `model_name` the first one counts.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: { schema: CreateModelGroup },
    response: ModelGroupResponse,
    errors: ['model_group_exists'],
    example: {
      body: {
        display_name: 'General chat',
        description: 'For conversations and summaries',
        models: [{ model_name: 'openai/gpt-4o', input_price_per_million: 2.5, output_price_per_million: 10 }],
      },
    },
  },
  async (context) => {
    const { deps, body, newId } = context;
    const modelGroupId = newId('model_group');
    const members = memberRows(body.models ?? []);
    const create = () =>
      deps.database.transaction(async (entities) => {
        const group = entities.create(ModelGroup, {
          model_group_id: modelGroupId,
          group_name: body.group_name,
          display_name: body.display_name,
          description: body.description,
          extra_fields: body.extra_fields ?? [],
          blocked_fields: body.blocked_fields ?? [],
          max_output_tokens: body.max_output_tokens,
          members,
        });
        await entities.persist(group).flush();
        await writeAuditEntry(entities, context, {
          action: 'created_model_group',
          resource_type: 'model_group',
          resource_id: body.group_name,
          details: { models: members.map(({ model_name }) => model_name) },
        });
        return group;
      });
    const findOwn = () =>
      deps.database.entities().findOne(ModelGroup, { model_group_id: modelGroupId }, { populate: ['members'] });
    const group = await createOnce(create, findOwn);
    if (!group) throw refuse('model_group_exists', body.group_name);
    return serializeModelGroup(group);
  },
);
