import { CancelledJobs, JobCancellations } from '../../../contracts/job-cancellations.ts';
import { cancelJobs as cancel } from '../../../services/jobs/cancel-jobs.ts';
import { route } from '../../route.ts';

export const cancelJobs = route(
  {
    operationId: 'cancelJobs',
    method: 'post',
    path: '/api/jobs/cancel',
    summary: 'Cancel many jobs',
    description:
      'Each of the jobs is cancelled as by itself, the oldest first, and the answer is sent when they have ended: with a thousand jobs ' +
      'after some seconds. After a 503 a part of them may have ended: the same request goes on with the others.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    body: {
      schema: JobCancellations.meta({
        example: { job_ids: ['3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35'], reason: 'The reports were retracted' },
      }),
    },
    response: CancelledJobs.meta({ example: { matched: 1, cancelled: 1, already_ended: 0, more: false } }),
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  (context) => cancel(context, context.body),
);
