import { findJob, resultInRecord } from '../db/jobs/find-job.ts';
import type { CallResult } from '../domain/call-result.ts';
import { endsJob, type JobEndCondition } from '../domain/job-end-condition.ts';
import type { JobResult } from '../domain/job-state.ts';
import { OutcomeUnknown, Unavailable } from '../errors.ts';
import type { AdmittedCall } from './admit-call.ts';
import type { CallDeps } from './ports.ts';

/** How a call of a job is going to end the job. */
export interface JobEndRule {
  jobId: string;
  /** A single-call job: it ends as the call does. */
  isSingleCall: boolean;
  endCondition: JobEndCondition | null;
}

export const jobEndRuleOf = ({ job, isSingleCall, endCondition }: AdmittedCall): JobEndRule => ({
  jobId: job.job_id,
  isSingleCall,
  endCondition,
});

/** Whether the job ends with a call that ended so. */
export function endsWithCall({ isSingleCall, endCondition }: JobEndRule, result: CallResult): boolean {
  if (isSingleCall) return result.status !== 'retracted';
  const succeeded = result.status === 'succeeded';
  return endsJob(endCondition, { succeeded, hasToolCalls: succeeded && result.hasToolCalls === true });
}

/**
 * The result of a job that ends with a call. That of a single-call job comes with the call's result, unless another command was
 * sent to the job or the event was lost. Then, and for any other job, the record has it, which needs no Temporal, or the workflow
 * will. Throws `OutcomeUnknown` when neither can be read: the call was made. When `disconnected` aborts, its reason.
 */
export async function resultOfJob(
  { database, jobs }: Pick<CallDeps, 'database' | 'jobs'>,
  jobId: string,
  result: CallResult,
  disconnected?: AbortSignal,
): Promise<JobResult> {
  if ('job' in result && result.job) return result.job;
  const job = await findJob(database, jobId).catch(() => undefined);
  return (
    (job && resultInRecord(job)) ??
    jobs.result(jobId, disconnected).catch((error: unknown) => {
      throw error instanceof Unavailable ? new OutcomeUnknown({ cause: error }) : error;
    })
  );
}
