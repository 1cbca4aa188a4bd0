import type { z } from 'zod';
import type { JobCompletion } from '../../contracts/jobs.ts';
import { isFinished } from '../../domain/job-state.ts';
import { refuse } from '../../errors.ts';
import { storageOfMetadata } from '../../holders/stored-bytes.ts';
import type { ServiceContext } from '../context.ts';
import { type EndedJob, endJob } from './end-job.ts';
import { getJobForCaller } from './get-job.ts';

/** Completes a job, or ends it as failed. `spec 3.5` */
export async function completeJob(
  context: ServiceContext,
  jobId: string,
  { status, metadata, error_message }: z.output<typeof JobCompletion>,
): Promise<EndedJob> {
  const { deps } = context;
  const job = await getJobForCaller(context, jobId);
  // The workflow of the job may be late: what is sent now would come before its deadline there. `spec 23.11`
  if (job.is_past_cutoff && !isFinished(job.status)) throw refuse('job_finished', 'failed');
  const command = { status, metadata: metadata ?? null, error_message: error_message ?? null };
  return endJob(context, job, status, (wait) => {
    deps.storedBytes.add(job.team_id, storageOfMetadata(metadata));
    return deps.jobs.complete(job, command, wait);
  });
}
