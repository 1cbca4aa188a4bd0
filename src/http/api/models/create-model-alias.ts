import { ChangedModelAlias, CreateModelAlias } from '../../../contracts/model-aliases.ts';
import { createModelAlias as create } from '../../../services/models/create-model-alias.ts';
import { warnAboutModels } from '../../../services/models/model-warnings.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './serialize-model.ts';

export const createModelAlias = route(
  {
    operationId: 'createModelAlias',
    method: 'post',
    path: '/api/model-aliases/create',
    summary: 'Create a model alias',
    description: 'A name for one model and its fallbacks. A team reaches it through an access group that both share.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: {
      schema: CreateModelAlias.meta({
        example: {
          display_name: 'General chat',
          description: 'For conversations and summaries',
          fallbacks: ['openai/gpt-4o-mini'],
          input_price_per_million: 2.5,
          output_price_per_million: 10,
          access_groups: ['standard'],
        },
      }),
    },
    response: ChangedModelAlias,
    errors: ['model_alias_exists', 'access_group_not_found'],
  },
  async (context) => {
    const [alias, warnings] = await Promise.all([
      create(context, context.body),
      warnAboutModels(context, [context.body.model_name, ...(context.body.fallbacks ?? [])]),
    ]);
    return { ...serializeModelAlias(alias), warnings };
  },
);
