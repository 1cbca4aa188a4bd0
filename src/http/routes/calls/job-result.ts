import type { Deps } from '../../../deps.ts';
import type { CallEnd } from '../../../domain/frames.ts';
import type { JobResult } from '../../../domain/job.ts';

/** The end of a single-call job: it comes with its call's, unless something else was asked of the job or the message was lost. */
export async function jobResult({ jobs }: Deps, jobId: string, end: CallEnd): Promise<JobResult> {
  return (end.status !== 'refused' && end.job) || jobs.result(jobId);
}
