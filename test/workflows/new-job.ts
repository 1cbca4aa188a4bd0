import type { JobCall } from '../../workflows/contract/messages.ts';
import { type JobIdentity, newJobSnapshot } from '../../workflows/contract/workflows.ts';
import { JobState } from '../../workflows/job/job-workflow-state.ts';

const identity: JobIdentity = {
  job_id: 'job-1',
  team_id: 'team-1',
  organization_id: 'org-1',
  job_type: 'report',
  single_call: false,
  for_task: false,
};
const createdAt = 1_000;

export const newJob = (fields: Partial<JobIdentity> = {}) =>
  new JobState(
    newJobSnapshot(
      1,
      { ...identity, ...fields },
      { status: 'pending', started_at: null, model_groups_used: [], metadata: {}, updated_at: createdAt },
    ),
  );
export const toNextRun = (job: JobState) => new JobState(JSON.parse(JSON.stringify(job.snapshot())));
export const call = (call_id: string, model_group: string | null = 'smart'): JobCall => ({ call_id, model_group });
export const completed = { status: 'completed', error_message: null, cancel_reason: null } as const;
