import { requireTeamCaller } from '../../services/caller.ts';
import { getCallableModel } from '../../services/models/list-callable-models.ts';
import { route } from '../route.ts';
import { ModelParams } from '../v1/model-params.ts';
import { openAiSurface } from '../v1/openai-surface.ts';
import { exampleModel, Model, serializeModel } from './models.ts';

export const getModel = route(
  {
    operationId: 'getModel',
    method: 'get',
    path: '/v1/models/{+model}',
    summary: 'Read a model that the team can call',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    limits: { rate: 'frequent' },
    params: ModelParams,
    response: Model.meta({ example: exampleModel }),
    errors: ['model_not_found'],
  },
  async (context) => {
    const { caller, params } = context;
    return serializeModel(await getCallableModel(context, params.model), requireTeamCaller(caller));
  },
);
