import { findJob, resultInRecord } from '../db/jobs/find-job.ts';
import type { CallEnd } from '../domain/call-result.ts';
import type { JobResult } from '../domain/job-state.ts';
import { OutcomeUnknown, Unavailable } from '../errors.ts';
import type { CallDeps } from './ports.ts';

/**
 * The result of a single-call job. It comes with the call's result, unless another command was sent to the job or the event was
 * lost. Then the record has it, which needs no Temporal, or the workflow will. Throws `OutcomeUnknown` when neither can be read:
 * the call was made.
 */
export async function resultOfJob(
  { database, jobs }: Pick<CallDeps, 'database' | 'jobs'>,
  jobId: string,
  result: CallEnd,
): Promise<JobResult> {
  if ('job' in result && result.job) return result.job;
  const job = await findJob(database, jobId).catch(() => undefined);
  return (
    (job && resultInRecord(job)) ??
    jobs.result(jobId).catch((error: unknown) => {
      throw error instanceof Unavailable ? new OutcomeUnknown({ cause: error }) : error;
    })
  );
}
