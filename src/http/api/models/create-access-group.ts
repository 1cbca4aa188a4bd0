import { CreateModelAccessGroup, ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { createAccessGroup as create } from '../../../services/models/create-access-group.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './serialize-model.ts';

export const createAccessGroup = route(
  {
    operationId: 'createModelAccessGroup',
    method: 'post',
    path: '/api/model-access-groups/create',
    summary: 'Create a model access group',
    description:
      'Lists the aliases that its teams may request. Teams are assigned to the group when they are created or changed.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: {
      schema: CreateModelAccessGroup.meta({
        example: {
          group_name: 'standard',
          display_name: 'General chat',
          description: 'For conversations and summaries',
          model_aliases: ['report-writer'],
        },
      }),
    },
    response: ModelAccessGroupResponse.meta({ example: { teams: [] } }),
    errors: ['access_group_exists', 'model_alias_not_found'],
  },
  async (context) => serializeAccessGroup(await create(context, context.body)),
);
