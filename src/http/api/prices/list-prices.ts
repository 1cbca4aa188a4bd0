import { JobTypePrice, PriceList, PriceListQuery } from '../../../contracts/prices.ts';
import { listPrices as list } from '../../../services/prices/read-prices.ts';
import { route } from '../../route.ts';
import { serializePrices } from './serialize-price.ts';

export const listPrices = route(
  {
    operationId: 'listPrices',
    method: 'get',
    path: '/api/job-types',
    summary: 'List the prices for all teams, by job type',
    tag: 'Prices',
    access: { audience: ['admin'] },
    limits: { place: 'lists' },
    query: PriceListQuery,
    response: PriceList,
    csv: { name: 'job-types', row: JobTypePrice, rows: ({ job_types }) => job_types },
  },
  async (context) => serializePrices(context.query, await list(context, null, context.query)),
);
