import type { Database } from '../connection/database.ts';
import { statement, unnamed } from '../sql/statement.ts';
import { jobHasEnded, jobIsOpen } from '../sql/status.ts';
import { filterCondition, type JobFilter } from './job-filter.ts';

/** A job that is to be ended. */
export interface JobToEnd {
  job_id: string;
  single_call: boolean;
  has_ended: boolean;
}

const columns = `job_id, single_call, ${jobHasEnded()} as has_ended`;
const oldestFirst = 'order by created_at, job_id';

const byIds = statement(
  'find_jobs_to_end',
  `select ${columns} from jobs
    where job_id = any (:job_ids::uuid[]) and team_id = coalesce(:team_id, team_id) ${oldestFirst}`,
);

/** The jobs with these ids, each once. `teamId`: only those of this team. */
export const findJobsByIds = (
  database: Database,
  jobIds: readonly string[],
  teamId: string | undefined,
): Promise<JobToEnd[]> => database.query(byIds, { job_ids: jobIds, team_id: teamId ?? null });

/** The oldest open jobs that match. Open jobs are few, and an index has them in this order. */
export function findOpenJobs(database: Database, filter: JobFilter, limit: number): Promise<JobToEnd[]> {
  const { sql, values } = filterCondition(filter);
  const text = `select ${columns} from jobs where ${sql} and ${jobIsOpen()} ${oldestFirst} limit :limit`;
  return database.query(unnamed(text), { ...values, limit });
}
