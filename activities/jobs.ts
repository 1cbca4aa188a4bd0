import { activityInfo } from '@temporalio/activity';
import { saveMetadata } from '../src/db/queries/save-metadata.ts';
import type { Metadata } from '../src/domain/metadata.ts';
import type { ActivityDeps } from './deps.ts';

export const createJobActivities = (deps: ActivityDeps) => ({
  /** Tells whatever worker has calls of the workflow's job to abort them now. Where Redis is away they hear of it with a heartbeat. */
  async abortCalls(): Promise<void> {
    await deps.cancellations.say(activityInfo().workflowExecution!.workflowId).catch(() => undefined);
  },

  /** The projection of an open job's metadata. Idempotent by `updated_at`: the newest stays. */
  async saveMetadata(input: { job_id: string; metadata: Metadata; updated_at: number }): Promise<void> {
    await saveMetadata(deps.database, input.job_id, input.metadata, new Date(input.updated_at));
  },
});
