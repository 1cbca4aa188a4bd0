import { ChangedModelGroup, ModelGroupParams, UpdateModelGroup } from '../../../contracts/model-groups.ts';
import { warnAboutModels } from '../../../services/models/model-warnings.ts';
import { updateModelGroup as update } from '../../../services/models/update-model-group.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './serialize-model.ts';

export const updateModelGroup = route(
  {
    operationId: 'updateModelGroup',
    method: 'put',
    path: '/api/model-groups/{group_name}',
    summary: 'Change a model group',
    description:
      'Named fields are replaced, `models` as a whole; omitted fields are not changed. Calls in flight are not affected.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    body: { schema: UpdateModelGroup.meta({ example: { status: 'inactive' } }) },
    response: ChangedModelGroup.meta({ example: { status: 'inactive' } }),
    errors: ['model_group_not_found'],
  },
  async (context) => {
    const [group, warnings] = await Promise.all([
      update(context, context.params.group_name, context.body),
      warnAboutModels(
        context,
        (context.body.models ?? []).map(({ model_name }) => model_name),
      ),
    ]);
    return { ...serializeModelGroup(group), warnings };
  },
);
