import { activityInfo } from '@temporalio/activity';
import { saveMetadata } from '../../src/db/jobs/save-metadata.ts';
import type { Metadata } from '../../src/domain/metadata.ts';
import type { ActivityDeps } from '../ports.ts';

export const createJobActivities = (deps: ActivityDeps) => ({
  /** Tells the workers to abort the job's calls now. While Redis is away, they learn of it with a heartbeat. */
  async abortCalls(): Promise<void> {
    await deps.cancellations.publish(activityInfo().workflowExecution!.workflowId).catch(() => undefined);
  },

  /** Writes an open job's metadata to its row. Idempotent by `updated_at`: the newest stays. */
  async saveMetadata(input: { job_id: string; metadata: Metadata; updated_at: number }): Promise<void> {
    await saveMetadata(deps.database, input.job_id, input.metadata, new Date(input.updated_at));
  },
});
