import { JobParams, MetadataUpdate, UpdatedMetadata } from '../../../contracts/jobs.ts';
import { findJob } from '../../../db/jobs/find-job.ts';
import { saveMetadata } from '../../../db/jobs/save-metadata.ts';
import { isFinished } from '../../../domain/job-state.ts';
import { metadataTooLarge } from '../../../domain/metadata.ts';
import { invalid, refuse } from '../../../errors.ts';
import { storageOfMetadata } from '../../../holders/stored-bytes.ts';
import { route } from '../../route.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';

export const updateMetadata = route(
  {
    method: 'patch',
    path: '/api/jobs/{job_id}/metadata',
    summary: 'Merge metadata into a job',
    description: 'Shallow: top-level keys replace, `null` is a value. The merged object is limited to 10KB.',
    tag: 'Jobs',
    access: { audience: ['team'] },
    limits: { place: 'jobCommands' },
    params: JobParams,
    body: { schema: MetadataUpdate },
    response: UpdatedMetadata,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
    example: {
      body: { metadata: { reviewed: true } },
      response: { metadata: { cost_center: 'FIN-204', reviewed: true } },
    },
  },
  async ({ deps, caller, params, body, disconnected }) => {
    const job = await getJobForCaller(deps, caller, params.job_id);
    if (isFinished(job.status)) throw refuse('job_finished', job.status);
    deps.storedBytes.require(job.team_id, storageOfMetadata(body.metadata));
    const outcome = await deps.jobs.updateMetadata(job, body.metadata, disconnected);
    if (outcome?.accepted) {
      // The workflow saves them too, a moment later. A client must find them in every list as soon as it has the answer.
      await saveMetadata(deps.database, job.job_id, outcome.metadata, new Date(outcome.updated_at));
      return { job_id: job.job_id, metadata: outcome.metadata, updated_at: new Date(outcome.updated_at).toISOString() };
    }
    if (outcome?.reason === 'metadata_too_large') throw invalid(['body', 'metadata'], metadataTooLarge);
    // The job ended meanwhile. Its status is in the outcome, or else in its record.
    throw refuse('job_finished', outcome?.status ?? (await findJob(deps.database, job.job_id))?.status ?? 'completed');
  },
);
