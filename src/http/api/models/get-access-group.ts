import { ModelAccessGroupParams, ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './support/serialize-access-group.ts';

export const getAccessGroup = route(
  {
    method: 'get',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Read a model access group',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    response: ModelAccessGroupResponse,
    errors: ['access_group_not_found'],
  },
  ({ deps, params: { group_name } }) =>
    deps.database.snapshot(async (entities) => {
      const group = await entities.findOne(ModelAccessGroup, { group_name }, { populate: ['aliases'] });
      if (!group) throw refuse('access_group_not_found', group_name);
      return serializeAccessGroup(entities, group);
    }),
);
