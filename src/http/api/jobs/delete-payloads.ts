import { DeletedPayloads } from '../../../contracts/job-calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { deletePayloads as deleteAll } from '../../../services/jobs/delete-payloads.ts';
import { route } from '../../route.ts';

export const deletePayloads = route(
  {
    operationId: 'deleteJobPayloads',
    method: 'delete',
    path: '/api/jobs/{job_id}/payloads',
    summary: 'Delete the requests and responses of a job that has ended',
    description: 'Its sums, its transactions and the attempts of its calls stay. Repeated, it deletes nothing.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    params: JobParams,
    response: DeletedPayloads,
    errors: ['job_of_another_team', 'job_not_found', 'job_open'],
  },
  (context) => deleteAll(context, context.params.job_id),
);
