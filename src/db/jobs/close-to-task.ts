import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

const sql = statement(
  'close_job_to_task',
  `update jobs set closing = true where job_id = :job_id and not closing and ${jobIsOpen()} returning job_id`,
);

/**
 * The job has refused a call of its task, because it is completing: from now on calls of the task find another one. The job itself
 * stays open in its record until the calls in flight have ended.
 */
export const closeToTask = async (database: Database, jobId: string): Promise<void> => {
  await database.query(sql, { job_id: jobId });
};
