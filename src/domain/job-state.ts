export const finalJobStatuses = ['completed', 'failed', 'cancelled'] as const;
export type FinalJobStatus = (typeof finalJobStatuses)[number];

/** The states of a job. `spec 3.12` */
export const jobStatuses = ['pending', 'in_progress', ...finalJobStatuses] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The fields by which a list of jobs can be sorted. `spec 3.8` */
export const jobSortFields = ['created_at', 'started_at', 'completed_at', 'status', 'job_type'] as const;
export type JobSortField = (typeof jobSortFields)[number];

const transitions: Record<JobStatus, readonly JobStatus[]> = {
  pending: ['in_progress', 'completed', 'failed', 'cancelled'],
  in_progress: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

/** The job has not ended. */
export const openJobStatuses = jobStatuses.filter((status) => transitions[status].length > 0);

/** Whether the job has ended: no state follows. */
export const isFinished = (status: JobStatus): status is FinalJobStatus => transitions[status].length === 0;

/** Whether `spec 3.12` has a transition from one to the other. */
export const canBecome = (from: JobStatus, to: JobStatus): boolean => transitions[from].includes(to);

/**
 * Who ended a job: its client with a command, its call, an admin, an operator in Temporal, the idle time, the service, because the
 * workflow of the job was lost, or its deadline.
 */
export const jobEnders = ['client', 'call', 'admin', 'operator', 'idle', 'service', 'deadline'] as const;
export type JobEnder = (typeof jobEnders)[number];

export const jobTimedOut = 'Job timed out';
export const jobDeadlineExceeded = 'Job deadline exceeded';
export const jobTerminated = "The job's workflow was terminated";
export const jobEndedInTemporal = 'The job was ended in Temporal';

/** How the call ended with which a single-call job was created. Null: it succeeded. */
export interface SingleCallEnd {
  error: string | null;
  /** It was stopped before a token was shown. */
  is_unshown?: boolean;
}

/**
 * How an open job ends whose workflow is lost; null: it goes on in a new workflow. A single-call job ends as its call did, and a
 * job is completed by a call with `X-Job-End`, whatever became of the workflow. `spec 3.17`, `spec 3.18` and `spec 18.5`
 */
export function endOfLostJob(
  singleCallEnd: SingleCallEnd | null,
  { isTerminated, isEndedByCall }: { isTerminated: boolean; isEndedByCall: boolean },
): { status: FinalJobStatus; error_message: string | null; ended_by: JobEnder } | null {
  if (singleCallEnd?.is_unshown) return { status: 'cancelled', error_message: null, ended_by: 'call' };
  if (singleCallEnd?.error === null || isEndedByCall)
    return { status: 'completed', error_message: null, ended_by: 'call' };
  if (singleCallEnd) return { status: 'failed', error_message: singleCallEnd.error, ended_by: 'call' };
  return isTerminated ? { status: 'failed', error_message: jobTerminated, ended_by: 'service' } : null;
}

/** The totals of a job. Costs are exact decimals in USD; `credits_remaining` is the team's balance when the job ended. */
export interface JobTotals {
  credit_applied: boolean;
  credits_remaining: number;
  total_calls: number;
  failed_calls: number;
  total_tokens: number;
  total_cost_usd: string;
  total_latency_ms: number;
  /** Absent: the price and the policy are the default. */
  terms?: TermsOfCosts | undefined;
}

/** What the costs of a job add that has another price or policy than the default. `spec 21.5` */
export interface TermsOfCosts {
  price_credits: number;
  credits_charged: number;
  superseded_calls: number;
}

/** The end of a job, as HTTP responses need it. */
export interface JobResult extends JobTotals {
  status: FinalJobStatus;
  completed_at: string;
}
