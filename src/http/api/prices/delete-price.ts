import { Message } from '../../../contracts/fields.ts';
import { JobTypeParams } from '../../../contracts/prices.ts';
import { deletePrice as remove } from '../../../services/prices/delete-price.ts';
import { route } from '../../route.ts';

export const deletePrice = route(
  {
    operationId: 'deletePrice',
    method: 'delete',
    path: '/api/job-types/{+job_type}',
    summary: 'Delete the price of a job type for all teams',
    description: 'Jobs that were created before keep it.',
    tag: 'Prices',
    access: { audience: ['admin'] },
    params: JobTypeParams,
    response: Message.meta({ example: { message: "Price of job type 'summarize_report' deleted successfully" } }),
    errors: ['price_not_found'],
  },
  async (context) => {
    await remove(context, { team_id: null, ...context.params });
    return { message: `Price of job type '${context.params.job_type}' deleted successfully` };
  },
);
