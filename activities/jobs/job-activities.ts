import { activityInfo } from '@temporalio/activity';
import { readCutoff } from '../../src/db/jobs/read-cutoff.ts';
import { saveMetadata } from '../../src/db/jobs/save-metadata.ts';
import type { ReadCutoffInput, SaveMetadataInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';

export const createJobActivities = (deps: ActivityDeps) => ({
  /** Publishes that the job's calls have to be aborted now. While Redis is away, workers receive that with a heartbeat. */
  async abortCalls(): Promise<void> {
    await deps.cancellations.publish(activityInfo().workflowExecution!.workflowId).catch(() => undefined);
  },

  /** Reads how long the job has until its deadline ends it. */
  readCutoff: ({ job_id }: ReadCutoffInput): Promise<number | null> => readCutoff(deps.database, job_id),

  /** Writes an open job's metadata to its row. Idempotent by `updated_at`: the newest ones stay. */
  async saveMetadata({ job_id, metadata, updated_at }: SaveMetadataInput): Promise<void> {
    await saveMetadata(deps.database, job_id, metadata, new Date(updated_at));
  },
});
