import { JobCancellation, JobOutcome, JobParams } from '../../../contracts/jobs.ts';
import { writeAuditEntry } from '../../../db/queries/write-audit-entry.ts';
import { isFinished } from '../../../domain/job.ts';
import { idFrom } from '../../derive-id.ts';
import { type RequestContext, route } from '../../route.ts';
import { endJob } from './end-job.ts';
import { findOwnJob } from './find-own-job.ts';

export const cancelJob = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description:
      'Calls in flight are aborted upstream and recorded with error `cancelled`, also where a completion waits for them. No credit is deducted.',
    tag: 'Jobs',
    auth: ['team', 'admin'],
    params: JobParams,
    body: JobCancellation,
    bodyOptional: true,
    response: JobOutcome,
    errors: ['job_of_another_team', 'job_not_found', 'job_finished'],
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const job = await findOwnJob(deps, caller, params.job_id);
    const outcome = await endJob(deps, job, 'cancelled', () => deps.jobs.cancel(job, body.reason ?? null));
    if (caller.kind !== 'team' && !isFinished(job.status)) await auditCancellation(context, job.job_id);
    return outcome;
  },
);

/**
 * What an admin does is audited; a team that cancels its own job is not one. After the fact: who cancels may come too late. Once a job,
 * by the first of those who cancel it together.
 */
const auditCancellation = (context: RequestContext, jobId: string): Promise<void> =>
  context.deps.database.transaction((entities) =>
    writeAuditEntry(
      entities,
      context,
      { action: 'cancelled_job', resource_type: 'job', resource_id: jobId },
      idFrom(jobId)('cancelled'),
    ),
  );
