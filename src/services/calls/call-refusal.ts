import type { CallResult, SucceededResult } from '../../domain/call-result.ts';
import { callError } from '../../domain/call-state.ts';
import { type Refusal, refuse, refuseWith } from '../../errors.ts';

/** A call that its models did not end: its job did, or it was lost. */
function refusalOfEnd(error: string): Refusal {
  if (error === callError.cancelled) return refuse('call_ended', 'cancelled');
  return error === callError.deadline ? refuse('call_ended', 'failed') : refuse('upstream_error', error);
}

/** How a call ended that has no answer, as a refusal. `spec 17.24` */
export function refusalOfCall(end: Exclude<CallResult, SucceededResult>): Refusal {
  if (end.status === 'retracted') return refuse('unavailable');
  if (end.status === 'refused') return refuse('job_finished', end.error);
  switch (end.failure) {
    case 'context_length':
      return refuseWith('context_length_exceeded', { ...end.contextFigures });
    case 'content_policy':
      return refuse('content_policy_violation');
    case 'rejected':
      return refuse('upstream_rejected');
    case 'misconfigured':
      return refuse('upstream_misconfigured');
    case 'over_budget':
      return refuse('upstream_over_budget');
    case 'rate_limited':
      return refuse('upstream_rate_limited');
    case 'timeout':
      return refuse('upstream_timeout');
    default:
      return refusalOfEnd(end.error);
  }
}
