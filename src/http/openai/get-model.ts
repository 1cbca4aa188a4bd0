import { listCallableModels } from '../../db/models/list-callable-models.ts';
import { refuse } from '../../errors.ts';
import { teamOf } from '../../services/caller.ts';
import { route } from '../route.ts';
import { exampleModel, Model, ModelParams, serializeModel } from './models.ts';
import { openAiSurface } from './surface.ts';

export const getModel = route(
  {
    method: 'get',
    path: '/v1/models/{+model}',
    summary: 'Read a model that the team can call',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    params: ModelParams,
    response: Model,
    errors: ['model_not_found'],
    example: { response: exampleModel },
  },
  async ({ deps, caller, params }) => {
    const team = teamOf(caller);
    const [model] = await listCallableModels(deps.database, team.teamId, params.model);
    if (!model) throw refuse('model_not_found', params.model);
    return serializeModel(model, team);
  },
);
