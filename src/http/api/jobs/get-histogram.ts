import { JobHistogram, JobHistogramQuery } from '../../../contracts/job-lists.ts';
import { readHistogram } from '../../../services/jobs/read-histogram.ts';
import { route } from '../../route.ts';

export const getHistogram = route(
  {
    operationId: 'getJobHistogram',
    method: 'get',
    path: '/api/jobs/histogram',
    summary: 'Count jobs by outcome, hour by hour or day by day',
    description:
      'The jobs that the list of jobs has with the same filters, by the time of their creation, UTC. Without a `start_date` the 30 days ' +
      'up to `end_date`, or until now. At most 1,100 points.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: JobHistogramQuery,
    response: JobHistogram.meta({
      example: {
        bucket: 'day',
        points: [{ at: '2026-01-31T00:00:00.000Z', completed: 1, failed: 0, cancelled: 0, open: 0 }],
        total: 1,
      },
    }),
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  async (context) => {
    const { bucket, from, to, points, isComplete } = await readHistogram(context, context.query);
    const total = points.reduce(
      (sum, { completed, failed, cancelled, open }) => sum + completed + failed + cancelled + open,
      0,
    );
    const first = points[0]?.at ?? from.toISOString();
    return { bucket, from: first, to: to.toISOString(), points, total, complete: isComplete };
  },
);
