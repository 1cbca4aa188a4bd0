import type { JobStatus } from '../../domain/job.ts';
import { type Database, statement } from '../database.ts';
import { countKeptJobs } from './count-jobs.ts';
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

export const sortColumns = ['created_at', 'started_at', 'completed_at', 'status', 'job_type'] as const;

export interface JobPage {
  sort_by: (typeof sortColumns)[number];
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Only what is asked for is in the statement: each combination is prepared once and planned for its own indexes. */
function conditions(filter: JobFilter): { names: string[]; text: string; values: unknown[] } {
  const comparisons = {
    team_id: 'team_id =',
    organization_id: 'organization_id =',
    status: 'status =',
    job_type: 'job_type =',
    user_id: 'user_id =',
    external_task_id: 'external_task_id =',
    created_from: 'created_at >=',
    created_before: 'created_at <',
  } satisfies Record<keyof JobFilter, string>;
  const names = (Object.keys(comparisons) as (keyof JobFilter)[]).filter((name) => (filter[name] ?? null) !== null);
  const text = names.map((name, index) => `${comparisons[name]} $${index + 1}`).join(' and ') || 'true';
  return { names, text, values: names.map((name) => filter[name]) };
}

/** As the indexes have it, newest first with the id to break a tie, or the same backwards. */
function ordering(sort_by: JobPage['sort_by'], order: JobPage['order']): string {
  const newest = order === 'desc' ? 'created_at desc, job_id' : 'created_at, job_id desc';
  return sort_by === 'created_at' ? newest : `${sort_by} ${order} nulls last, ${newest}`;
}

/** A page of jobs and how many there are in all. The order is stable: the id breaks a tie. */
export async function listJobs(
  database: Database,
  filter: JobFilter,
  { sort_by, order, limit, offset }: JobPage,
): Promise<{ total: number; jobs: JobRow[] }> {
  const { names, text, values } = conditions(filter);
  const suffix = names.join('_') || 'all';
  const page = statement(
    `jobs_${sort_by}_${order}_${suffix}`,
    `select ${jobColumns} from jobs where ${text}
      order by ${ordering(sort_by, order)} limit $${values.length + 1} offset $${values.length + 2}`,
  );
  const count = statement(`jobs_count_${suffix}`, `select count(*)::int as total from jobs where ${text}`);
  const countAll = async () => (await database.query<{ total: number }>(count, values))[0]!.total;
  const [jobs, total] = await Promise.all([
    database.query<JobRow>(page, [...values, limit, offset]),
    countKeptJobs(database, filter).then((known) => known ?? countAll()),
  ]);
  return { total, jobs };
}
