import { JobTypePrice, PriceList, PriceListQuery } from '../../../contracts/prices.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listPrices as list } from '../../../services/prices/read-prices.ts';
import { route } from '../../route.ts';
import { serializePrices } from './serialize-price.ts';

export const listPricesOfTeam = route(
  {
    operationId: 'listPricesOfTeam',
    method: 'get',
    path: '/api/teams/{team_id}/job-types',
    summary: 'List the prices for a team, by job type',
    description: 'For each job type the row that holds for the team: its own, or else that for all teams.',
    tag: 'Prices',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management', place: 'lists' },
    params: TeamParams,
    query: PriceListQuery,
    response: PriceList,
    csv: { name: 'job-types', row: JobTypePrice, rows: ({ job_types }) => job_types },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => serializePrices(context.query, await list(context, context.params.team_id, context.query)),
);
