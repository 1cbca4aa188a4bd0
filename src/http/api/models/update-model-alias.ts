import { ChangedModelAlias, ModelAliasParams, UpdateModelAlias } from '../../../contracts/model-aliases.ts';
import { warnAboutModels } from '../../../services/models/model-warnings.ts';
import { updateModelAlias as update } from '../../../services/models/update-model-alias.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './serialize-model.ts';

export const updateModelAlias = route(
  {
    operationId: 'updateModelAlias',
    method: 'put',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Change a model alias',
    description:
      'Named fields are replaced, arrays as a whole; omitted fields are not changed. Calls in flight are not affected.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    body: { schema: UpdateModelAlias.meta({ example: { status: 'inactive' } }) },
    response: ChangedModelAlias.meta({ example: { status: 'inactive' } }),
    errors: ['model_alias_not_found', 'access_group_not_found'],
  },
  async (context) => {
    const [alias, warnings] = await Promise.all([
      update(context, context.params.alias_name, context.body),
      warnAboutModels(context, [context.body.model_name, ...(context.body.fallbacks ?? [])]),
    ]);
    return { ...serializeModelAlias(alias), warnings };
  },
);
