import { saveMetadata } from '../src/db/queries/save-metadata.ts';
import type { Metadata } from '../src/domain/metadata.ts';
import type { ActivityDeps } from './deps.ts';

export const createJobActivities = (deps: ActivityDeps) => ({
  /** The projection of an open job's metadata. Idempotent by `updated_at`: the newest stays. */
  async saveMetadata(input: { job_id: string; metadata: Metadata; updated_at: number }): Promise<void> {
    await saveMetadata(deps.database, input.job_id, input.metadata, new Date(input.updated_at));
  },
});
