import type { z } from 'zod';
import { encodeCursor } from '../../../contracts/cursor.ts';
import { JobList, JobListQuery, ListedJob } from '../../../contracts/job-lists.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { JobFilter } from '../../../db/jobs/job-filter.ts';
import { countJobs, type ListedJobs, listJobs as listFromOffset } from '../../../db/jobs/list-jobs.ts';
import { walkJobs } from '../../../db/jobs/walk-jobs.ts';
import { route } from '../../route.ts';
import { jobFilterOf } from './support/job-filter-of.ts';
import { serializeListedJob } from './support/serialize-job.ts';

export const listJobs = route(
  {
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
    csv: { name: 'jobs', row: ListedJob, rows: ({ jobs }) => jobs },
    errors: ['key_of_another_team', 'key_of_another_organization'],
  },
  async ({ deps, caller, query }) => {
    const { limit, offset, cursor, count, sort_by, order, format: _, tz: __, ...filters } = query;
    const page = { limit, offset, cursor, count, sort_by, order };
    const { total, rows, next } = await readPage(deps.database, jobFilterOf(caller, filters), page);
    return { total, limit, offset, jobs: rows.map(serializeListedJob), next_cursor: next && encodeCursor(next) };
  },
);

type PageQuery = Pick<z.output<typeof JobListQuery>, 'limit' | 'offset' | 'cursor' | 'count' | 'sort_by' | 'order'>;

/** By position, unless the request skips jobs or has them counted without a cursor. */
async function readPage(database: Database, filter: JobFilter, page: PageQuery): Promise<ListedJobs> {
  const { limit, offset, cursor, count, ...order } = page;
  if (cursor === undefined && (offset > 0 || count === 'exact'))
    return listFromOffset(database, filter, { limit, offset, count, ...order });
  const [total, walked] = await Promise.all([
    count === 'exact' ? countJobs(database, filter) : null,
    walkJobs(database, filter, { limit, cursor: cursor ?? null, ...order }),
  ]);
  return { total, ...walked };
}
