import { JobCompletion, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { storageOfMetadata } from '../../../holders/stored-bytes.ts';
import { route } from '../../route.ts';
import { endJob } from './support/end-job.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';

export const completeJob = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/complete',
    summary: 'Complete a job',
    description:
      'Calls already in flight finish first, and count. A job that is completed without a failed call is charged, where the ' +
      'balance suffices: one credit, or by its use in the budget modes `consumption_usd` and `consumption_tokens`. ' +
      'Completing again with the same status gives the stored result.',
    tag: 'Jobs',
    access: { audience: ['team'] },
    params: JobParams,
    body: { schema: JobCompletion },
    response: JobOutcome,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
    example: { body: { metadata: { reviewed: true } } },
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const job = await getJobForCaller(deps, caller, params.job_id);
    const { status, metadata, error_message } = body;
    const command = { status, metadata: metadata ?? null, error_message: error_message ?? null };
    return endJob(context, job, status, (wait) => {
      deps.storedBytes.add(job.team_id, storageOfMetadata(metadata));
      return deps.jobs.complete(job, command, wait);
    });
  },
);
