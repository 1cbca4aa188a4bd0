import { encodeCursor } from '../../../contracts/cursor.ts';
import { JobList, JobListQuery, ListedJob } from '../../../contracts/job-lists.ts';
import { listJobs as list } from '../../../services/jobs/list-jobs.ts';
import { route } from '../../route.ts';
import { serializeListedJob } from './serialize-job.ts';

export const listJobs = route(
  {
    operationId: 'listJobs',
    method: 'get',
    path: '/api/jobs',
    summary: 'List jobs',
    description:
      'A team sees its own jobs, an admin those of every team. `total` counts all that match. For many jobs, read by `cursor`, ' +
      'with `count=none`: each page is then found in a bounded time, at any depth and with any filter.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: JobListQuery,
    response: JobList,
    csv: { name: 'jobs', row: ListedJob.omit({ key_id: true, credits_held: true }), rows: ({ jobs }) => jobs },
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  async (context) => {
    const { format: _, tz: __, ...query } = context.query;
    const { limit, offset } = query;
    const { total, rows, next } = await list(context, query);
    return { total, limit, offset, jobs: rows.map(serializeListedJob), next_cursor: next && encodeCursor(next) };
  },
);
