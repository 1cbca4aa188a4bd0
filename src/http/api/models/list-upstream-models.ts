import { toPrice, UpstreamModels } from '../../../contracts/models.ts';
import { listUpstreamModels as list } from '../../../services/models/list-upstream-models.ts';
import { route } from '../../route.ts';

export const listUpstreamModels = route(
  {
    operationId: 'listUpstreamModels',
    method: 'get',
    path: '/api/upstream-models',
    summary: 'List the models that the upstream names now',
    description:
      'Asks the upstream for its `/v1/models`, for at most five seconds, and adds the prices of its `/model/info` where it has that page. Where it gives no list, `problem` and `help` say why.',
    tag: 'Models',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    response: UpstreamModels,
  },
  async (context) => {
    const { models, ...rest } = await list(context);
    return {
      models: models.map(({ model, input_price_per_million, output_price_per_million }) => ({
        model,
        input_price_per_million: toPrice(input_price_per_million),
        output_price_per_million: toPrice(output_price_per_million),
      })),
      ...rest,
    };
  },
);
