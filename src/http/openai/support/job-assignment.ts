import type { ChatRequest } from '../../../contracts/openai/chat-request.ts';
import type { JobHeaders } from '../../../contracts/openai/job-headers.ts';
import type { JobEndCondition } from '../../../domain/job-end-condition.ts';

/** The job that a call belongs to. */
export type AssignedJob =
  | { kind: 'job'; jobId: string }
  /** The open job of a task of the client, or a new one. */
  | { kind: 'task'; externalTaskId: string }
  /** A job that is created for the call and ends with it. */
  | { kind: 'single' };

/** What a request states about the job of its call. */
export interface JobAssignment {
  job: AssignedJob;
  /** Of a job that is made for the call. */
  jobType: string;
  userId: string | null;
  purpose: string | null;
  metadata: Record<string, unknown> | null;
  /** When the call ends its job: with its success, or with a success without tool calls. */
  endJob: JobEndCondition | undefined;
}

const defaultJobType = 'chat.completions';

/**
 * The first that is given decides: a job, a task, what the team's `job_key_from` names, nothing. Of a job and of a task the header goes before the
 * metadata. `spec 17.2`
 */
function jobOf(headers: JobHeaders, { metadata }: ChatRequest, teamTask: () => string | undefined): AssignedJob {
  const jobId = headers['x-job-id'] ?? metadata?.job_id?.toLowerCase();
  if (jobId) return { kind: 'job', jobId };
  const externalTaskId = headers['x-external-task-id'] ?? metadata?.external_task_id ?? teamTask();
  return externalTaskId ? { kind: 'task', externalTaskId } : { kind: 'single' };
}

/**
 * `teamTask`: the task that is named by what the team's `job_key_from` lists, where the request names none otherwise. Headers and
 * body are valid. `spec 18.2`
 */
export function jobAssignmentOf(
  headers: JobHeaders,
  body: ChatRequest,
  teamTask: () => string | undefined,
): JobAssignment {
  return {
    job: jobOf(headers, body, teamTask),
    jobType: headers['x-job-type'] ?? body.metadata?.job_type ?? defaultJobType,
    userId: body.user ?? body.safety_identifier ?? null,
    purpose: headers['x-call-purpose'] ?? null,
    metadata: body.metadata ?? null,
    endJob: headers['x-job-end'],
  };
}
