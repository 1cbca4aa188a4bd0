import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { deletePayloadsOfJob } from '../../db/calls/delete-payloads.ts';
import { findJob } from '../../db/jobs/find-job.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { getJobForCaller } from './get-job.ts';

/** Deletes the requests and responses of a job that has ended. Sums, ledger and attempts stay. `spec 3.20` */
export async function deletePayloads(
  context: ServiceContext,
  jobId: string,
): Promise<{ job_id: string; deleted: number }> {
  const { deps, caller } = context;
  const { job_id } = await getJobForCaller(context, jobId);
  const entry = caller.kind === 'team' ? undefined : deletion(context, job_id);
  const deleted = await deletePayloadsOfJob(deps.database, job_id, entry);
  if (deleted === undefined) throw refuse('job_open', (await findJob(deps.database, job_id))?.status ?? 'open');
  return { job_id, deleted };
}

const deletion = (context: ServiceContext, job_id: string): string =>
  auditEntry(context.newId('audit'), context, {
    action: 'deleted_payloads',
    resource_type: 'job',
    resource_id: job_id,
  });
