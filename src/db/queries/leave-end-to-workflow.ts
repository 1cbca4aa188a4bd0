import { type Database, statement } from '../database.ts';

const sql = statement(
  'leave_end_to_workflow',
  `update jobs set ends_with_call = false
    where job_id = $1 and status in ('pending', 'in_progress')
   returning job_id`,
);

/**
 * Before anything more is asked of a single-call job: its end does not come with its call's any more, the workflow decides it.
 * The row lock puts this before or behind the settlement. False: the job has ended.
 */
export async function leaveEndToWorkflow(database: Database, jobId: string): Promise<boolean> {
  const rows = await database.query(sql, [jobId]);
  return rows.length > 0;
}
