import { JobTypeOfTeamParams, JobTypePrice, PriceOfJobType } from '../../../contracts/prices.ts';
import { setPrice as set } from '../../../services/prices/set-price.ts';
import { route } from '../../route.ts';
import { serializePrice } from './serialize-price.ts';

export const setPriceOfTeam = route(
  {
    operationId: 'setPriceOfTeam',
    method: 'put',
    path: '/api/teams/{team_id}/job-types/{+job_type}',
    summary: 'Set the price of a job type for a team',
    description: 'Replaces the whole row, or makes it. It holds for jobs that are created from now on.',
    tag: 'Prices',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: JobTypeOfTeamParams,
    body: {
      schema: PriceOfJobType.meta({
        example: { credits: 5, billing_policy: 'superseded_ok', budget: { max_cost_usd: 0.5 } },
      }),
    },
    response: JobTypePrice,
    errors: ['team_not_found'],
  },
  async (context) => serializePrice(await set(context, context.params, context.body)),
);
