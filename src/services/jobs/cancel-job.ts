import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import type { ServiceContext } from '../context.ts';
import { idFrom } from '../derive-id.ts';
import { type EndedJob, endJob } from './end-job.ts';
import { getJobForCaller } from './get-job.ts';

/** Cancels a job. `spec 3.6` */
export async function cancelJob(context: ServiceContext, jobId: string, reason: string | null): Promise<EndedJob> {
  const { deps } = context;
  const job = await getJobForCaller(context, jobId);
  const command = { reason, auditEntry: auditCancellation(context, job.job_id) };
  return endJob(context, job, 'cancelled', (wait) => deps.jobs.cancel(job, command, wait));
}

/** An admin's cancellation is audited, a team's cancellation of its own job is not. The statement that ends the job writes the entry. */
export const auditCancellation = (context: ServiceContext, jobId: string): string | undefined =>
  context.caller.kind === 'team'
    ? undefined
    : auditEntry(idFrom(jobId)('cancelled'), context, {
        action: 'cancelled_job',
        resource_type: 'job',
        resource_id: jobId,
      });
