import { JobTypeParams, JobTypePrice, PriceOfJobType } from '../../../contracts/prices.ts';
import { setPrice as set } from '../../../services/prices/set-price.ts';
import { route } from '../../route.ts';
import { serializePrice } from './serialize-price.ts';

export const setPrice = route(
  {
    operationId: 'setPrice',
    method: 'put',
    path: '/api/job-types/{+job_type}',
    summary: 'Set the price of a job type for all teams',
    description: 'Replaces the whole row, or makes it. It holds for jobs that are created from now on.',
    tag: 'Prices',
    access: { audience: ['admin'] },
    params: JobTypeParams,
    body: {
      schema: PriceOfJobType.meta({
        example: { credits: 5, billing_policy: 'superseded_ok', budget: { max_cost_usd: 0.5 } },
      }),
    },
    response: JobTypePrice,
  },
  async (context) => serializePrice(await set(context, { team_id: null, ...context.params }, context.body)),
);
