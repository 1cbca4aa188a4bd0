import type { WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { JobCall } from '../../../workflows/contract/messages.ts';
import { type JobInput, type JobSnapshot, newJobSnapshot } from '../../../workflows/contract/workflows.ts';
import type { OpenJob } from '../../db/jobs/find-open-job.ts';
import type { JobStartRow } from '../../db/jobs/job-start-row.ts';
import { workflowId } from '../../domain/ids.ts';
import { endOfLostJob } from '../../domain/job-state.ts';
import { summary } from '../../domain/summary.ts';
import { fairnessKey, searchAttributes } from '../connection/search-attributes.ts';
import type { WorkflowState } from './workflow-state.ts';

/** How long a job may be idle. `spec 3.10` and `spec 18.6` */
export interface IdleTimes {
  jobMs: number;
  /** The idle timeout of a job that a call made for its task. */
  taskJobMs: number;
}

export interface NewRunOptions {
  taskQueue: string;
  idle: IdleTimes;
  /** The version of the snapshot that the run begins with: `JOB_VERSION`. */
  version: number;
}

const newSnapshot = (version: number, job: JobStartRow, lost: Parameters<typeof newJobSnapshot>[3] = {}): JobSnapshot =>
  newJobSnapshot(
    version,
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
    { ...lost, ...(job.cutoff_at && { cutoff_at: job.cutoff_at.getTime() }) },
  );

/** The workflow of a job: its id, its first state, and what Temporal schedules and operators search it by. */
export const jobWorkflow = (
  job: JobStartRow,
  { taskQueue, idle, version }: NewRunOptions,
  state = newSnapshot(version, job),
) => {
  const input: JobInput = { state, idle_timeout_ms: job.for_task ? idle.taskJobMs : idle.jobMs };
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

export type LostState = Exclude<WorkflowState, 'running'>;

/** A workflow that completed has settled its job: if that is open, its record is from a backup of before. */
const reusePolicies: Record<LostState, WorkflowIdReusePolicy> = {
  absent: WorkflowIdReusePolicy.REJECT_DUPLICATE,
  terminated: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
  completed: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
};

/**
 * The workflow of an open job that has lost its own. After a termination it ends the job with its open calls; else it makes those
 * calls again, and goes on. `now`: milliseconds since the epoch.
 */
export function resumedJobWorkflow(job: OpenJob, lost: LostState, options: NewRunOptions & { now: number }) {
  const { version, now } = options;
  const isTerminated = lost === 'terminated';
  const hasTurn = job.turn_seconds !== null && job.is_answered && job.open_calls.length === 0;
  const isEndedByCall = job.ended_by_call || (isTerminated && hasTurn);
  const end = endOfLostJob(job.single_call_end, { isTerminated, isEndedByCall });
  const last_activity_at = job.last_activity_at.getTime();
  const ending = end && { ...end, cancel_reason: null };
  const turn = job.turn_seconds && { turn_seconds: job.turn_seconds };
  const known = { ending, last_activity_at, is_answered: job.is_answered, ...turn };
  const calls = job.open_calls.map(({ call_id }) => call_id);
  const state = isTerminated
    ? newSnapshot(version, job, { ...known, terminated_calls: calls, recent_call_ids: calls })
    : newSnapshot(version, startedBy(job, now), { ...known, deferred_calls: job.open_calls.map(toJobCall) });
  const workflow = jobWorkflow(job, options, state);
  return { ...workflow, workflowIdReusePolicy: reusePolicies[lost] };
}

const toJobCall = ({
  call_id,
  model_group_used,
  purpose,
  end_job,
  turn_seconds,
  is_single_call,
}: OpenJob['open_calls'][number]): JobCall => ({
  call_id,
  model_group: model_group_used,
  ...(purpose && { purpose }),
  ...(end_job && { end_job }),
  ...(turn_seconds && { turn_seconds }),
  ...(is_single_call && { opens_job: true }),
});

/** The job as it is once its open calls run. */
function startedBy(job: OpenJob, now: number): JobStartRow {
  if (job.open_calls.length === 0) return job;
  const groups = job.open_calls.map(({ model_group_used }) => model_group_used).filter((group) => group !== null);
  return {
    ...job,
    status: 'in_progress',
    started_at: job.started_at ?? new Date(now),
    model_groups_used: [...new Set([...job.model_groups_used, ...groups])],
  };
}
