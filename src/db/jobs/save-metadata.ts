import { type Database, statement } from '../connection/database.ts';
import { jobIsOpen } from '../sql/status.ts';

const sql = statement(
  'save_metadata',
  `update jobs set metadata = $2, updated_at = $3
    where job_id = $1 and ${jobIsOpen()} and updated_at < $3`,
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
  await database.query(sql, [jobId, metadata, updatedAt]);
}
