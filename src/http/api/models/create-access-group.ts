import { CreateModelAccessGroup, ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { createAccessGroup as create } from '../../../services/models/create-access-group.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './serialize-model.ts';

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
  async (context) => serializeAccessGroup(await create(context, context.body)),
);
