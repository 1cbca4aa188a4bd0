import { JobTypeParams, JobTypePrice } from '../../../contracts/prices.ts';
import { getPrice as get } from '../../../services/prices/read-prices.ts';
import { route } from '../../route.ts';
import { serializePrice } from './serialize-price.ts';

export const getPrice = route(
  {
    operationId: 'getPrice',
    method: 'get',
    path: '/api/job-types/{+job_type}',
    summary: 'Read the price of a job type for all teams',
    tag: 'Prices',
    access: { audience: ['admin'] },
    params: JobTypeParams,
    response: JobTypePrice,
    errors: ['price_not_found'],
  },
  async (context) => serializePrice(await get(context, { team_id: null, ...context.params })),
);
