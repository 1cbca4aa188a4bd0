import type { z } from 'zod';
import type { JobCompletion } from '../../contracts/jobs.ts';
import type { FoundJob } from '../../db/jobs/find-job.ts';
import { isFinished, type JobStatus } from '../../domain/job-state.ts';
import { refuse } from '../../errors.ts';
import { storageOfMetadata } from '../../holders/stored-bytes.ts';
import type { ServiceContext } from '../context.ts';
import { type EndedJob, endedJob, endJob, requireAccepted } from './end-job.ts';
import { getJobForCaller } from './get-job.ts';

type Completion = z.output<typeof JobCompletion>;

/** A job that is being completed, as it was last seen. */
export interface EndingJob {
  jobId: string;
  status: JobStatus;
  result: undefined;
}

/** Completes a job, or ends it as failed. `spec 3.5` */
export async function completeJob(context: ServiceContext, jobId: string, completion: Completion): Promise<EndedJob> {
  const { deps } = context;
  const job = await getJobToComplete(context, jobId);
  return endJob(context, job, completion.status, (wait) => {
    deps.storedBytes.add(job.team_id, storageOfMetadata(completion.metadata));
    return deps.jobs.complete(job, toCommand(completion), wait);
  });
}

/** The workflow of a job may be late: what is sent after the deadline would come before it there. `spec 23.11` */
async function getJobToComplete(context: ServiceContext, jobId: string): Promise<FoundJob> {
  const job = await getJobForCaller(context, jobId);
  if (job.is_past_cutoff && !isFinished(job.status)) throw refuse('job_finished', 'failed');
  return job;
}

const toCommand = ({ status, metadata, error_message }: Completion) => ({
  status,
  metadata: metadata ?? null,
  error_message: error_message ?? null,
});

/** Completes a job, and waits for its end for at most so long: its calls in flight finish first. `spec 26.1` */
export async function submitCompletion(
  context: ServiceContext,
  jobId: string,
  completion: Completion,
  waitMs: number,
): Promise<EndedJob | EndingJob> {
  const { deps, holder, disconnected } = context;
  const job = await getJobToComplete(context, jobId);
  if (isFinished(job.status)) return completeJob(context, jobId, completion);
  deps.storedBytes.add(job.team_id, storageOfMetadata(completion.metadata));
  const { endCommands } = deps.measures.places;
  const send = () => deps.jobs.submitCompletion(job, toCommand(completion));
  const decision = await endCommands.run(holder, send, { signal: disconnected });
  // The job ended meanwhile.
  if (!decision) return completeJob(context, jobId, completion);
  requireAccepted(decision);
  if (waitMs > 0) {
    const left = AbortSignal.any([disconnected, AbortSignal.timeout(waitMs)]);
    const result = await deps.jobs.result(job.job_id, left).catch(() => undefined);
    if (result) return endedJob(context, job.job_id, result, completion.status);
  }
  return { jobId: job.job_id, status: job.status, result: undefined };
}
