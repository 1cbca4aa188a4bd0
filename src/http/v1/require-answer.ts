import type { SucceededResult } from '../../domain/call-result.ts';
import { stopped } from '../../domain/finish-reason.ts';
import { refuse } from '../../errors.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import type { MadeCall } from '../../services/calls/make-call.ts';

/** The answer of a call. Throws for one that failed, and for one whose job was ended in another way while it ran, such as cancelled. */
export function requireAnswer({ call, result, jobResult }: MadeCall): SucceededResult {
  if (result.status !== 'succeeded') throw refusalOfCall(result);
  const isCancelled = call.isSingleCall && jobResult && jobResult.status !== 'completed';
  if (isCancelled && result.finishReason !== stopped) throw refuse('call_ended', jobResult.status);
  return result;
}
