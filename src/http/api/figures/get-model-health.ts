import { ModelHealth, ModelHealthQuery } from '../../../contracts/model-health.ts';
import { getModelHealth as get } from '../../../services/figures/get-model-health.ts';
import { route } from '../../route.ts';
import { modelHealthExample } from './figure-examples.ts';
import { serializeModelHealth } from './serialize-model-health.ts';

export const getModelHealth = route(
  {
    operationId: 'getModelHealth',
    method: 'get',
    path: '/api/usage/models',
    summary: 'Read how models and model groups are doing',
    description:
      'Of the calls that ended in the hours of the range, by default the last 24. A model that fails and is replaced by another has an error, ' +
      'although the call succeeds: `errors` of a model counts requests to it, `errors` of a group counts calls.',
    tag: 'Usage',
    access: { audience: ['admin'] },
    query: ModelHealthQuery,
    limits: { rate: 'management', place: 'lists' },
    response: ModelHealth.meta({ example: modelHealthExample }),
  },
  async (context) => {
    const { range, figures } = await get(context, context.query);
    return serializeModelHealth(range, figures);
  },
);
