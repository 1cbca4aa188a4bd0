import type { z } from 'zod';
import type { ModelResponse } from '../../../contracts/calls.ts';
import type { CallResult, SucceededResult } from '../../../domain/call-result.ts';
import { type RefusalCode, refuse, Unavailable } from '../../../errors.ts';

/** The result of a successful call. A failed one is a 500, one that its closing job refused a 409, a retracted one a 503. */
export function requireAnswer(end: CallResult): SucceededResult {
  if (end.status === 'succeeded') return end;
  if (end.status === 'failed') throw refuse('call_failed', end.error);
  if (end.status === 'refused') throw refuse('job_finished', end.error);
  throw new Unavailable('worker');
}

export const serializeModelResponse = (end: SucceededResult): z.input<typeof ModelResponse> => ({
  content: end.message?.content || end.message?.refusal || '',
  finish_reason: end.finishReason,
  ...(end.message?.toolCalls && {
    tool_calls: end.message.toolCalls.map(({ id, type, function: called }) => ({ id, type, function: called })),
  }),
});

/** The refusals that every call may get: `spec 4.1` and `spec 9.1`. */
const anyCall = [
  'model_group_denied',
  'model_group_unusable',
  'model_group_empty',
  'price_unknown',
  'rate_limited',
  'job_budget_reached',
] as const;

export const refusalsInJob: readonly RefusalCode[] = [
  'job_of_another_team',
  'job_not_found',
  'job_finished',
  'job_budget_held',
  'job_deadline_exceeded',
  ...anyCall,
];

export const refusalsOfSingle: readonly RefusalCode[] = [
  'key_of_another_team',
  'insufficient_credits',
  'key_limit_reached',
  ...anyCall,
];
