import type { CallResult } from '../domain/call-result.ts';
import { workflowId } from '../domain/ids.ts';
import type { AdmittedCall } from './admit-call.ts';
import type { CallContext } from './call-context.ts';
import type { TokenReservation } from './token-budget.ts';

/** The result of a call goes to its client: its tokens replace the estimate, and its job may receive the next signal now. */
export function onResultDelivered(
  { deps }: CallContext,
  { job }: AdmittedCall,
  reservation: TokenReservation,
  result: CallResult,
): void {
  reservation.replaceEstimate(result);
  deps.signalNotices.onResultDelivered(workflowId.job(job.job_id));
}
