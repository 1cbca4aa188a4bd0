import type { z } from 'zod';
import type { ModelResponse } from '../../../contracts/calls.ts';
import type { CallEnd, SucceededEnd } from '../../../domain/call-result.ts';
import { refuse, Unavailable } from '../../../errors.ts';

/** Returns the end of a successful call. A failed one is a 500; a refused one came while its job was closing; a retracted one is a 503. */
export function succeeded(end: CallEnd): SucceededEnd {
  if (end.status === 'succeeded') return end;
  if (end.status === 'failed') throw refuse('call_failed', end.error);
  if (end.status === 'refused') throw refuse('job_finished', end.error);
  throw new Unavailable('worker');
}

export const serializeModelResponse = (end: SucceededEnd): z.input<typeof ModelResponse> => ({
  content: end.message?.content ?? '',
  finish_reason: end.finishReason,
  ...(end.message?.toolCalls && { tool_calls: end.message.toolCalls }),
});
