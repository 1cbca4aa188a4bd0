import { findJob } from '../../db/jobs/find-job.ts';
import { saveMetadata } from '../../db/jobs/save-metadata.ts';
import { isFinished } from '../../domain/job-state.ts';
import { type Metadata, metadataTooLarge } from '../../domain/metadata.ts';
import { invalid, refuse } from '../../errors.ts';
import { storageOfMetadata } from '../../holders/stored-bytes.ts';
import type { ServiceContext } from '../context.ts';
import { getJobForCaller } from './get-job.ts';

export interface SavedMetadata {
  job_id: string;
  metadata: Metadata;
  updated_at: Date;
}

/** Merges metadata into those of an open job, and returns all of them. */
export async function updateMetadata(
  context: ServiceContext,
  jobId: string,
  changes: Metadata,
): Promise<SavedMetadata> {
  const { deps, disconnected } = context;
  const job = await getJobForCaller(context, jobId);
  if (isFinished(job.status)) throw refuse('job_finished', job.status);
  deps.storedBytes.require(job.team_id, storageOfMetadata(changes));
  const outcome = await deps.jobs.updateMetadata(job, changes, disconnected);
  if (outcome?.accepted) {
    const { metadata } = outcome;
    const updated_at = new Date(outcome.updated_at);
    // The workflow saves them too, a moment later. A client must find them in every list as soon as it has the answer.
    await saveMetadata(deps.database, job.job_id, metadata, updated_at);
    deps.changes.publish('jobs', { job_id: job.job_id, team_id: job.team_id, status: job.status });
    return { job_id: job.job_id, metadata, updated_at };
  }
  if (outcome?.reason === 'metadata_too_large') throw invalid(['body', 'metadata'], metadataTooLarge);
  // The job ended meanwhile. Its status is in the outcome, or else in its record.
  throw refuse('job_finished', outcome?.status ?? (await findJob(deps.database, job.job_id))?.status ?? 'completed');
}
