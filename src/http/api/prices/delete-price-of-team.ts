import { Message } from '../../../contracts/fields.ts';
import { JobTypeOfTeamParams } from '../../../contracts/prices.ts';
import { deletePrice as remove } from '../../../services/prices/delete-price.ts';
import { route } from '../../route.ts';

export const deletePriceOfTeam = route(
  {
    operationId: 'deletePriceOfTeam',
    method: 'delete',
    path: '/api/teams/{team_id}/job-types/{+job_type}',
    summary: 'Delete the price of a job type for a team',
    description: 'Jobs that were created before keep it.',
    tag: 'Prices',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: JobTypeOfTeamParams,
    response: Message.meta({ example: { message: "Price of job type 'summarize_report' deleted successfully" } }),
    errors: ['team_not_found', 'price_not_found'],
  },
  async (context) => {
    await remove(context, context.params);
    return { message: `Price of job type '${context.params.job_type}' deleted successfully` };
  },
);
