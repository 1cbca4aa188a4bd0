import { ModelAliasParams, ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './support/serialize-model-alias.ts';

export const getModelAlias = route(
  {
    method: 'get',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Read a model alias',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    response: ModelAliasResponse,
    errors: ['model_alias_not_found'],
  },
  async ({ deps, params: { alias_name } }) => {
    const alias = await deps.database.snapshot((entities) =>
      entities.findOne(ModelAlias, { alias_name }, { populate: ['access_groups'] }),
    );
    if (!alias) throw refuse('model_alias_not_found', alias_name);
    return serializeModelAlias(alias);
  },
);
