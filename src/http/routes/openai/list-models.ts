import { ModelList } from '../../../contracts/openai/models.ts';
import { listCallableModels } from '../../../db/models/list-callable-models.ts';
import { teamOf } from '../../auth/caller.ts';
import { route } from '../../route.ts';
import { openAiSurface } from '../../surfaces/openai.ts';
import { exampleModel, serializeModel } from './support/serialize-model.ts';

export const listModels = route(
  {
    method: 'get',
    path: '/v1/models',
    summary: 'List the models that the team can call',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    auth: ['team'],
    unlimited: true,
    response: ModelList,
    example: { response: { data: [exampleModel] } },
  },
  async ({ deps, caller }) => {
    const team = teamOf(caller);
    const models = await listCallableModels(deps.database, team.teamId);
    return { object: 'list' as const, data: models.map((model) => serializeModel(model, team)) };
  },
);
