import { requireTeamCaller } from '../../services/caller.ts';
import { listCallableModels } from '../../services/models/list-callable-models.ts';
import { route } from '../route.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { exampleModel, ModelList, serializeModel } from './models.ts';

export const listModels = route(
  {
    operationId: 'listModels',
    method: 'get',
    path: '/v1/models',
    summary: 'List the models that the team can call',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    response: ModelList.meta({ example: { data: [exampleModel] } }),
  },
  async (context) => {
    const team = requireTeamCaller(context.caller);
    const models = await listCallableModels(context);
    return { object: 'list' as const, data: models.map((model) => serializeModel(model, team)) };
  },
);
