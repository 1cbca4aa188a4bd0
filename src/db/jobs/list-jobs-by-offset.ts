import type { ListPosition } from '../../contracts/cursor.ts';
import type { JobStatus } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { byCharacters } from '../sql/by-characters.ts';
import { type OffsetPage, readOffsetPage } from '../sql/read-offset-page.ts';
import { unnamed } from '../sql/statement.ts';
import { countByDay } from './count-jobs.ts';
import { type JobRow, jobColumns } from './find-job.ts';
import { filterCondition, filteredBy, type JobFilter, type JobFilterName } from './job-filter.ts';
import { type JobOrder, toPosition } from './job-phases.ts';

export interface JobPage extends OffsetPage, JobOrder {
  count?: 'exact' | 'none';
}

export interface ListedJobs {
  /** Null where it was not to be counted. */
  total: number | null;
  rows: JobRow[];
  /** The position where the next page begins; null at the end of the list. */
  next: ListPosition | null;
}

/** The order of the indexes: newest first with the id to break a tie, or the same backwards. */
function ordering(sort_by: JobPage['sort_by'], order: JobPage['order']): string {
  const newest = order === 'desc' ? 'created_at desc, job_id' : 'created_at, job_id desc';
  const by = sort_by === 'job_type' || sort_by === 'status' ? byCharacters(sort_by) : sort_by;
  return sort_by === 'created_at' ? newest : `${by} ${order} nulls last, ${newest}`;
}

/**
 * The lists that clients read again and again: the newest first, of a team or of all, of a status or of all. Only these twelve
 * are prepared; of all combinations of filters and orders there are thousands, and each would stay in the memory of each
 * connection.
 */
const isUsual = (names: JobFilterName[], { status }: JobFilter, { sort_by, order, count }: JobPage): boolean =>
  sort_by === 'created_at' &&
  order === 'desc' &&
  count !== 'none' &&
  !Array.isArray(status) &&
  names.every((name) => name === 'team_id' || name === 'status');

/** A select of `total`, the number of jobs that match, and what it is called. */
function counting(filter: JobFilter): { name: string; sql: string } {
  const byDay = countByDay(filter);
  if (byDay) return { name: `by_day_${(filter.status as JobStatus | null | undefined) ?? 'all'}`, sql: byDay };
  return { name: 'one_by_one', sql: `select count(*)::int as total from jobs where ${filterCondition(filter).sql}` };
}

/** A page from an offset on. Only the given filters are in the statement, so that each is planned for its own indexes. */
export async function listJobsByOffset(database: Database, filter: JobFilter, page: JobPage): Promise<ListedJobs> {
  const names = filteredBy(filter);
  const { sql, values } = filterCondition(filter, names);
  const { name: counted, sql: count } = counting(filter);
  const isCounted = page.count !== 'none';
  const listing = {
    ...(isUsual(names, filter, page) && { name: ['jobs', counted, ...names].join('_') }),
    columns: jobColumns,
    from: `jobs where ${sql}`,
    order: ordering(page.sort_by, page.order),
    lookUp: { rows: 'jobs where', key: 'job_id' },
    count: isCounted ? count : 'select null::int as total',
  };
  const { total, rows } = await readOffsetPage<JobRow>(database, listing, values, page);
  const isLast = rows.length < page.limit || page.offset + rows.length === total;
  return { total: isCounted ? total : null, rows, next: isLast ? null : toPosition(page, rows.at(-1)!) };
}

/** The number of jobs that match. */
export async function countJobs(database: Database, filter: JobFilter): Promise<number> {
  const sql = unnamed(counting(filter).sql);
  const { values } = filterCondition(filter);
  const used = Object.fromEntries(sql.parameters.map((name) => [name, values[name]]));
  const [row] = await database.reports.query<{ total: number }>(sql, used);
  return row!.total;
}
