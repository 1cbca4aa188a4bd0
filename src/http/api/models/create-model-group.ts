import { ChangedModelGroup, CreateModelGroup } from '../../../contracts/model-groups.ts';
import { createModelGroup as create } from '../../../services/models/create-model-group.ts';
import { warnAboutModels } from '../../../services/models/model-warnings.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './serialize-model.ts';

export const createModelGroup = route(
  {
    operationId: 'createModelGroup',
    method: 'post',
    path: '/api/model-groups/create',
    summary: 'Create a model group',
    description:
      'Names a primary model and its fallbacks. Members without a `priority` are tried in the order of the array; of entries with the same `model_name` the first one counts.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: {
      schema: CreateModelGroup.meta({
        example: {
          display_name: 'General chat',
          description: 'For conversations and summaries',
          models: [{ model_name: 'openai/gpt-4o', input_price_per_million: 2.5, output_price_per_million: 10 }],
        },
      }),
    },
    response: ChangedModelGroup,
    errors: ['model_group_exists'],
  },
  async (context) => {
    const [group, warnings] = await Promise.all([
      create(context, context.body),
      warnAboutModels(
        context,
        (context.body.models ?? []).map(({ model_name }) => model_name),
      ),
    ]);
    return { ...serializeModelGroup(group), warnings };
  },
);
