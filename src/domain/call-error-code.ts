import type { CallFailure } from './call-failure.ts';
import { callError } from './call-state.ts';

/** Why a call failed, for programs. Those of failed models are the codes of errors under `/v1`. `spec 4.21` */
export const callErrorCodes = [
  'context_length_exceeded',
  'content_policy_violation',
  'upstream_rejected',
  'upstream_misconfigured',
  'upstream_over_budget',
  'upstream_rate_limited',
  'upstream_timeout',
  'upstream_error',
  /** The call or its job was cancelled. */
  'cancelled',
  /** The deadline of its job was over. */
  'deadline',
  /** The worker, or the connection to the upstream, was lost after the first token. */
  'interrupted',
  'worker_lost',
  'stream_lost',
  'workflow_terminated',
  /** No worker took the call. */
  'unavailable',
  /** The job was ending. */
  'job_finished',
] as const;
export type CallErrorCode = (typeof callErrorCodes)[number];

const ofFailure: Record<CallFailure, CallErrorCode> = {
  context_length: 'context_length_exceeded',
  content_policy: 'content_policy_violation',
  rejected: 'upstream_rejected',
  misconfigured: 'upstream_misconfigured',
  over_budget: 'upstream_over_budget',
  rate_limited: 'upstream_rate_limited',
  timeout: 'upstream_timeout',
  error: 'upstream_error',
};

const ofError: Record<string, CallErrorCode> = {
  [callError.cancelled]: 'cancelled',
  [callError.deadline]: 'deadline',
  [callError.interrupted]: 'interrupted',
  [callError.lost]: 'worker_lost',
  [callError.streamLost]: 'stream_lost',
  [callError.terminated]: 'workflow_terminated',
  [callError.retracted]: 'unavailable',
};

/** Null for a call that has not failed. `failure`: null where it ended for another reason than its models. */
export function callErrorCode(call: {
  status: string;
  error: string | null;
  failure: CallFailure | null;
}): CallErrorCode | null {
  if (call.status === 'refused') return 'job_finished';
  if (call.error === null) return call.status === 'retracted' ? 'unavailable' : null;
  // What was cancelled is recorded as a failure of the models too, of no certain kind.
  return ofError[call.error] ?? ofFailure[call.failure ?? 'error'];
}
