import { JobTypeOfTeamParams, JobTypePrice } from '../../../contracts/prices.ts';
import { getPrice as get } from '../../../services/prices/read-prices.ts';
import { route } from '../../route.ts';
import { serializePrice } from './serialize-price.ts';

export const getPriceOfTeam = route(
  {
    operationId: 'getPriceOfTeam',
    method: 'get',
    path: '/api/teams/{team_id}/job-types/{+job_type}',
    summary: 'Read the price of a job type for a team',
    description: 'The row that holds for the team: its own, or else that for all teams.',
    tag: 'Prices',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: JobTypeOfTeamParams,
    response: JobTypePrice,
    errors: ['key_of_another_team', 'team_not_found', 'price_not_found'],
  },
  async (context) => serializePrice(await get(context, context.params)),
);
