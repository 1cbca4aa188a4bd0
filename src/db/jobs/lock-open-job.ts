import type { Queries } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

const sql = statement('lock_open_job', `select from jobs where job_id = :job_id and ${jobIsOpen()} for update`);

/** Within a transaction: the end of the job waits for it. False: the job has ended. */
export const lockOpenJob = async (queries: Queries, job_id: string): Promise<boolean> =>
  (await queries.query(sql, { job_id })).length > 0;
