import { ModelGroupParams, ModelGroupResponse } from '../../../contracts/model-groups.ts';
import { ModelGroup } from '../../../db/entities/model-group.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './support/serialize-model-group.ts';

export const getModelGroup = route(
  {
    method: 'get',
    path: '/api/model-groups/{group_name}',
    summary: 'Read a model group',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    response: ModelGroupResponse,
    errors: ['model_group_not_found'],
  },
  async ({ deps, params: { group_name } }) => {
    const group = await deps.database.snapshot((entities) =>
      entities.findOne(ModelGroup, { group_name }, { populate: ['members'] }),
    );
    if (!group) throw refuse('model_group_not_found', group_name);
    return serializeModelGroup(group);
  },
);
