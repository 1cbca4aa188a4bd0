import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

const sql = statement(
  'defer_settlement',
  `update jobs set ends_with_call = false
    where job_id = :job_id and ${jobIsOpen()}
   returning job_id`,
);

/**
 * Records, before a single-call job receives another command, that from now on the workflow decides its end, instead of the end of
 * its call. The row lock puts this before or after the settlement. False: the job has ended.
 */
export async function deferSettlement(database: Database, jobId: string): Promise<boolean> {
  const rows = await database.query(sql, { job_id: jobId });
  return rows.length > 0;
}
