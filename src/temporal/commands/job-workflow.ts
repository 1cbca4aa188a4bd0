import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { type JobInput, newJobSnapshot } from '../../../workflows/contract/workflows.ts';
import type { JobStartRow } from '../../db/jobs/job-start-row.ts';
import { workflowId } from '../../domain/ids.ts';
import { fairnessKey, searchAttributes, summary } from '../connection/search-attributes.ts';

/** How long a job may be idle. `spec 3.10` and `spec 18.6` */
export interface IdleTimes {
  jobMs: number;
  /** For a job that a call made for its task. */
  taskJobMs: number;
}

/** The workflow of a job: its id, its first state, and what Temporal schedules and operators search it by. */
export const jobWorkflow = (job: JobStartRow, taskQueue: string, idle: IdleTimes) => {
  const input: JobInput = {
    state: newJobSnapshot(
      {
        job_id: job.job_id,
        team_id: job.team_id,
        organization_id: job.organization_id,
        job_type: job.job_type,
        single_call: job.single_call,
        for_task: job.for_task,
      },
      {
        status: job.status,
        started_at: job.started_at?.getTime() ?? null,
        model_groups_used: job.model_groups_used,
        metadata: job.metadata,
        updated_at: job.updated_at.getTime(),
      },
    ),
    idle_timeout_ms: job.for_task ? idle.taskJobMs : idle.jobMs,
  };
  return {
    taskQueue,
    workflowId: workflowId.job(job.job_id),
    // A finished job never runs again; a repeated start finds the running workflow.
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [input],
    priority: { fairnessKey: fairnessKey(job.team_id) },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.team, value: job.team_id },
      { key: searchAttributes.organization, value: job.organization_id },
      { key: searchAttributes.jobType, value: job.job_type },
      { key: searchAttributes.status, value: job.single_call ? 'in_progress' : job.status },
    ]),
    staticSummary: summary(`${job.team_id} · ${job.job_type}`),
  } satisfies WorkflowOptions & { args: [JobInput] };
};
