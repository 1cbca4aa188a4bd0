import { JobHistogram, JobHistogramQuery } from '../../../contracts/job-lists.ts';
import { readHistogram } from '../../../db/jobs/job-histogram.ts';
import { databaseTime } from '../../../db/sql/database-clock.ts';
import { pointsOf, rangeOf } from '../../../domain/job-histogram.ts';
import { invalid } from '../../../errors.ts';
import { route } from '../../route.ts';
import { jobFilterOf } from './support/job-filter-of.ts';

export const getHistogram = route(
  {
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
    response: JobHistogram,
    errors: ['key_of_another_team', 'key_of_another_organization'],
    example: {
      response: {
        bucket: 'day',
        points: [{ at: '2026-01-31T00:00:00.000Z', completed: 1, failed: 0, cancelled: 0, open: 0 }],
        total: 1,
      },
    },
  },
  async ({ deps, caller, query: { bucket: wanted, ...filters } }) => {
    const filter = jobFilterOf(caller, filters);
    const now = await databaseTime(deps.database);
    const range = rangeOf({ from: filter.created_from ?? null, before: filter.created_before ?? null, now, wanted });
    if (!range) throw invalid(['query', 'start_date'], 'The range should have at most 1,100 points');
    const { bucket, from, to } = range;
    const found = await readHistogram(
      deps.database,
      { ...filter, created_from: filter.created_from ?? from, created_before: filter.created_before ?? to },
      { bucket },
    );
    const points = pointsOf(range, found);
    const total = points.reduce(
      (sum, { completed, failed, cancelled, open }) => sum + completed + failed + cancelled + open,
      0,
    );
    const first = points[0]?.at ?? from.toISOString();
    return { bucket, from: first, to: to.toISOString(), points, total, complete: found.stoppedAt === null };
  },
);
