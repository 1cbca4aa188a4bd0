import type { z } from 'zod';
import type { JobListQuery, TeamJobsQuery } from '../../contracts/job-lists.ts';
import type { Database } from '../../db/connection/database.ts';
import type { JobFilter } from '../../db/jobs/job-filter.ts';
import { listJobsByCursor } from '../../db/jobs/list-jobs-by-cursor.ts';
import { countJobs, type ListedJobs, listJobsByOffset } from '../../db/jobs/list-jobs-by-offset.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';
import { type JobFilters, toJobFilter } from './to-job-filter.ts';

type PageQuery = Pick<z.output<typeof JobListQuery>, 'limit' | 'offset' | 'cursor' | 'count' | 'sort_by' | 'order'>;

/** A page of the jobs that the caller may see. */
export const listJobs = (
  { deps, caller }: ServiceContext,
  { limit, offset, cursor, count, sort_by, order, ...filters }: PageQuery & JobFilters,
): Promise<ListedJobs> =>
  readPage(deps.database, toJobFilter(caller, filters), { limit, offset, cursor, count, sort_by, order });

/** Reads the page by position, unless the request skips jobs or has them counted without a cursor. */
async function readPage(database: Database, filter: JobFilter, page: PageQuery): Promise<ListedJobs> {
  const { limit, offset, cursor, count, ...order } = page;
  if (cursor === undefined && (offset > 0 || count === 'exact'))
    return listJobsByOffset(database, filter, { limit, offset, count, ...order });
  const [total, walked] = await Promise.all([
    count === 'exact' ? countJobs(database, filter) : null,
    listJobsByCursor(database, filter, { limit, cursor: cursor ?? null, ...order }),
  ]);
  return { total, ...walked };
}

/** A page of a team's jobs, newest first. */
export async function listTeamJobs(
  { deps, caller }: ServiceContext,
  teamId: string,
  { limit, offset, status, key_id }: z.output<typeof TeamJobsQuery>,
): Promise<ListedJobs> {
  await requireOwnTeam({ deps, caller }, teamId);
  const page = { sort_by: 'created_at', order: 'desc', limit, offset } as const;
  return listJobsByOffset(deps.database, { team_id: teamId, status, key_id: key_id ?? null }, page);
}
