import { settleJob } from '../../../db/queries/settle-job.ts';
import { withdrawCall } from '../../../db/queries/withdraw-call.ts';
import type { Deps } from '../../../deps.ts';
import type { AdmittedCall } from './admit.ts';

/**
 * Takes back a call that no worker has begun, and its job when it was made for this call: who was told 503 is not charged
 * for what happens later. False: it has begun, or PostgreSQL is away too.
 */
export async function withdraw(
  { database, deliveries }: Deps,
  { callId, job, opensJob }: AdmittedCall,
): Promise<boolean> {
  const withdrawn = await withdrawCall(database, callId).catch(() => false);
  if (!withdrawn || !opensJob) return withdrawn;
  const settled = await settleJob(database, {
    job_id: job.job_id,
    status: 'failed',
    credits: 0,
    error_message: 'unavailable',
    cancel_reason: null,
    metadata: job.metadata,
    model_groups_used: [],
    completed_at: new Date(),
    with_call: false,
  }).catch(() => undefined);
  deliveries.start(settled?.delivery_ids ?? []);
  return true;
}
