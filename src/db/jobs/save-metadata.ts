import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobIsOpen } from '../sql/status.ts';

const sql = statement(
  'save_metadata',
  `update jobs set metadata = :metadata, updated_at = :updated_at
    where job_id = :job_id and ${jobIsOpen()} and updated_at < :updated_at`,
);

/**
 * The workflow owns the metadata of an open job; this is its projection. An older version that comes late changes nothing, nor
 * does a repetition: while a job is open, only this moves its `updated_at`.
 */
export async function saveMetadata(
  database: Database,
  jobId: string,
  metadata: Record<string, unknown>,
  updatedAt: Date,
): Promise<void> {
  await database.query(sql, { job_id: jobId, metadata, updated_at: updatedAt });
}
