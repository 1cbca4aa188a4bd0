import { ModelAliasParams, ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import { getModelAlias as get } from '../../../services/models/read-models.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './serialize-model.ts';

export const getModelAlias = route(
  {
    operationId: 'getModelAlias',
    method: 'get',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Read a model alias',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    response: ModelAliasResponse,
    errors: ['model_alias_not_found'],
  },
  async (context) => serializeModelAlias(await get(context, context.params.alias_name)),
);
