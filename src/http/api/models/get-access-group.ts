import { ModelAccessGroupParams, ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { getAccessGroup as get } from '../../../services/models/read-models.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './serialize-model.ts';

export const getAccessGroup = route(
  {
    operationId: 'getModelAccessGroup',
    method: 'get',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Read a model access group',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    response: ModelAccessGroupResponse,
    errors: ['access_group_not_found'],
  },
  async (context) => serializeAccessGroup(await get(context, context.params.group_name)),
);
