import type { JobSortField, JobStatus } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { type Page, readPage } from '../sql/read-page.ts';
import { countByDay } from './count-jobs.ts';
import { type JobRow, jobColumns } from './find-job.ts';

export interface JobFilter {
  team_id?: string | null;
  organization_id?: string | null;
  status?: JobStatus | null;
  job_type?: string | null;
  user_id?: string | null;
  external_task_id?: string | null;
  /** Inclusive. */
  created_from?: Date | null;
  /** Exclusive. */
  created_before?: Date | null;
}

export interface JobPage extends Page {
  sort_by: JobSortField;
  order: 'asc' | 'desc';
}

const conditions = {
  team_id: 'team_id = :team_id',
  organization_id: 'organization_id = :organization_id',
  status: 'status = :status',
  job_type: 'job_type = :job_type',
  user_id: 'user_id = :user_id',
  external_task_id: 'external_task_id = :external_task_id',
  created_from: 'created_at >= :created_from',
  created_before: 'created_at < :created_before',
} satisfies Record<keyof JobFilter, string>;

/** The order of the indexes: newest first with the id to break a tie, or the same backwards. */
function ordering(sort_by: JobPage['sort_by'], order: JobPage['order']): string {
  const newest = order === 'desc' ? 'created_at desc, job_id' : 'created_at, job_id desc';
  return sort_by === 'created_at' ? newest : `${sort_by} ${order} nulls last, ${newest}`;
}

/**
 * The lists that clients read again and again: the newest first, of a team or of all, of a status or of all. Only these twelve
 * are prepared; of all combinations of filters and orders there are thousands, and each would stay in the memory of each
 * connection.
 */
const isUsual = (names: (keyof JobFilter)[], { sort_by, order }: JobPage): boolean =>
  sort_by === 'created_at' && order === 'desc' && names.every((name) => name === 'team_id' || name === 'status');

/** Only the given filters are in the statement, so that each is planned for its own indexes. */
export function listJobs(
  database: Database,
  filter: JobFilter,
  page: JobPage,
): Promise<{ total: number; rows: JobRow[] }> {
  const names = (Object.keys(conditions) as (keyof JobFilter)[]).filter((name) => (filter[name] ?? null) !== null);
  const from = `jobs where ${names.map((name) => conditions[name]).join(' and ') || 'true'}`;
  const byDay = countByDay(filter);
  const counted = byDay ? `by_day_${filter.status ?? 'all'}` : 'one_by_one';
  const listing = {
    ...(isUsual(names, page) && { name: ['jobs', counted, ...names].join('_') }),
    columns: jobColumns,
    from,
    order: ordering(page.sort_by, page.order),
    lookUp: { rows: 'jobs where', key: 'job_id' },
    count: byDay ?? `select count(*)::int as total from ${from}`,
  };
  return readPage(database, listing, Object.fromEntries(names.map((name) => [name, filter[name]])), page);
}
