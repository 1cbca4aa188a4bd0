import type { Database } from '../connection/database.ts';
import { msUntilCutoff } from '../sql/cutoff.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'read_cutoff',
  `select ${msUntilCutoff('b')} as remaining_ms from job_budgets b where b.job_id = :job_id`,
);

/** Milliseconds until the job ends by its deadline, by PostgreSQL's clock: 0 or less once it is to end. Null: it has no deadline. */
export async function readCutoff(database: Database, jobId: string): Promise<number | null> {
  const [row] = await database.query<{ remaining_ms: number | null }>(sql, { job_id: jobId });
  return row?.remaining_ms ?? null;
}
