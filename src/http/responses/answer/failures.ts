import type { StreamOutput } from '../../../calls/frame-reorder.ts';
import { callError } from '../../../domain/call-state.ts';
import { type Refusal, type RefusalCode, refuse } from '../../../errors.ts';
import { refusalOfCall } from '../../../services/calls/call-refusal.ts';
import { openAiError } from '../../v1/openai-surface.ts';
import type { ResponseFailure } from './response-object.ts';

/** After these codes an agent does not repeat its request, because that would be refused again. `spec 29.19` */
const finalCodes: Partial<Record<RefusalCode, string>> = {
  context_length_exceeded: 'context_length_exceeded',
  insufficient_credits: 'insufficient_quota',
  key_limit_reached: 'insufficient_quota',
  job_budget_reached: 'insufficient_quota',
  content_policy_violation: 'invalid_prompt',
  upstream_rejected: 'invalid_prompt',
  upstream_misconfigured: 'invalid_prompt',
  upstream_over_budget: 'invalid_prompt',
  call_ended: 'invalid_prompt',
  job_finished: 'invalid_prompt',
};

/** A failure as the events of a response have it. */
function toFailure({ status, code, message: detail }: Refusal): ResponseFailure & { type: string } {
  const { message, type } = openAiError({ status, code, detail });
  return { code: finalCodes[code] ?? 'server_error', message, type };
}

/** The end of a call without an answer. */
type FailedOutput = Extract<StreamOutput, { type: 'end' | 'lost' }>;

/** What is recorded of a lost stream is read as this too: each reader receives the same. */
export function failureOf(output: FailedOutput): ResponseFailure & { type: string } {
  if (output.type === 'lost') return toFailure(refuse('upstream_error', callError.streamLost));
  if (output.end.status === 'succeeded') throw new Error('the call has an answer');
  return toFailure(refusalOfCall(output.end));
}
