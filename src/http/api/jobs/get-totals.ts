import { JobTotals, JobTotalsQuery } from '../../../contracts/job-lists.ts';
import { sumJobs } from '../../../services/jobs/sum-jobs.ts';
import { route } from '../../route.ts';

export const getTotals = route(
  {
    operationId: 'getJobTotals',
    method: 'get',
    path: '/api/jobs/totals',
    summary: 'Count the jobs of a list, with the sums of what they took',
    description:
      'The jobs that the list of jobs has with the same filters. `complete` says whether each of them was counted.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: JobTotalsQuery,
    response: JobTotals.meta({
      example: {
        jobs: 42,
        total_calls: 44,
        failed_calls: 1,
        total_tokens: 3_860,
        total_cost_usd: 0.0189,
        credits_charged: 39,
        complete: true,
        from: null,
      },
    }),
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  async (context) => {
    const { stopped_at, total_cost_usd, ...sums } = await sumJobs(context, context.query);
    return {
      ...sums,
      total_cost_usd: Number(total_cost_usd),
      complete: stopped_at === null,
      from: stopped_at?.toISOString() ?? null,
    };
  },
);
