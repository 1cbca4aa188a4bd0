import { listCallableModels } from '../../db/models/list-callable-models.ts';
import { teamOf } from '../../services/caller.ts';
import { route } from '../route.ts';
import { exampleModel, ModelList, serializeModel } from './models.ts';
import { openAiSurface } from './surface.ts';

export const listModels = route(
  {
    method: 'get',
    path: '/v1/models',
    summary: 'List the models that the team can call',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    response: ModelList,
    example: { response: { data: [exampleModel] } },
  },
  async ({ deps, caller }) => {
    const team = teamOf(caller);
    const models = await listCallableModels(deps.database, team.teamId);
    return { object: 'list' as const, data: models.map((model) => serializeModel(model, team)) };
  },
);
