import {
  ModelAccessGroupParams,
  ModelAccessGroupResponse,
  UpdateModelAccessGroup,
} from '../../../contracts/model-access-groups.ts';
import { updateAccessGroup as update } from '../../../services/models/update-access-group.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './serialize-model.ts';

export const updateAccessGroup = route(
  {
    operationId: 'updateModelAccessGroup',
    method: 'put',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Change a model access group',
    description: 'Named fields are replaced, `model_aliases` as a whole; omitted fields are not changed.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    body: { schema: UpdateModelAccessGroup.meta({ example: { model_aliases: ['report-writer'] } }) },
    response: ModelAccessGroupResponse,
    errors: ['access_group_not_found', 'model_alias_not_found'],
  },
  async (context) => serializeAccessGroup(await update(context, context.params.group_name, context.body)),
);
