import { findJob } from '../db/jobs/find-job.ts';
import type { CallEnd } from '../domain/call-result.ts';
import type { JobResult } from '../domain/job-state.ts';
import type { Deps } from '../http/ports.ts';
import { storedResult } from '../http/routes/jobs/serialize-job.ts';

/**
 * The end of a single-call job: it comes with the call's end, unless something else was asked of the job or the message was
 * lost. Then it is in the record, which needs no Temporal, or it will come from the workflow.
 */
export async function jobResult({ database, jobs }: Deps, jobId: string, end: CallEnd): Promise<JobResult> {
  if ('job' in end && end.job) return end.job;
  const job = await findJob(database, jobId).catch(() => undefined);
  return (job && storedResult(job)) ?? jobs.result(jobId);
}
