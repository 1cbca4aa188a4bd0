import { CreatedJob, JobCreation } from '../../../contracts/jobs.ts';
import { createJob as create } from '../../../services/jobs/create-job.ts';
import { route } from '../../route.ts';
import { serializeBudget } from './serialize-budget.ts';

export const createJob = route(
  {
    operationId: 'createJob',
    method: 'post',
    path: '/api/jobs/create',
    summary: 'Create a job',
    tag: 'Jobs',
    access: { audience: ['team'] },
    limits: { place: 'workflowCommands' },
    body: {
      schema: JobCreation.meta({
        example: { user_id: 'user-17', external_task_id: 'task-4711', metadata: { cost_center: 'FIN-204' } },
      }),
    },
    response: CreatedJob,
    errors: ['key_of_another_team', 'insufficient_credits', 'key_limit_reached'],
  },
  async (context) => {
    const { row, credits_held, budget } = await create(context, context.body);
    return {
      job_id: row.job_id,
      status: 'pending' as const,
      created_at: row.created_at.toISOString(),
      ...(credits_held !== null && { credits_held }),
      ...serializeBudget(budget),
    };
  },
);
