import { BudgetRequest, ChangedBudget } from '../../../contracts/budgets.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { changeBudget as change } from '../../../services/jobs/change-budget.ts';
import { route } from '../../route.ts';
import { toBudget } from './serialize-budget.ts';

export const changeBudget = route(
  {
    operationId: 'changeJobBudget',
    method: 'patch',
    path: '/api/jobs/{job_id}/budget',
    summary: 'Change the budget of a job',
    description:
      'What is not named stays; `null` lifts a cap. `deadline_seconds` counts from now. A team changes up to its maxima, an admin ' +
      'beyond them. A job without a budget gets one.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'workflowCommands' },
    params: JobParams,
    body: { schema: BudgetRequest.meta({ example: { max_calls: 50, deadline_seconds: 3_600 } }) },
    response: ChangedBudget,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => {
    const { jobId, budget } = await change(context, context.params.job_id, context.body);
    return { job_id: jobId, budget: toBudget(budget) };
  },
);
