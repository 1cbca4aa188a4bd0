import { ModelGroupParams, ModelGroupResponse } from '../../../contracts/model-groups.ts';
import { getModelGroup as get } from '../../../services/models/read-models.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './serialize-model.ts';

export const getModelGroup = route(
  {
    operationId: 'getModelGroup',
    method: 'get',
    path: '/api/model-groups/{group_name}',
    summary: 'Read a model group',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    response: ModelGroupResponse,
    errors: ['model_group_not_found'],
  },
  async (context) => serializeModelGroup(await get(context, context.params.group_name)),
);
