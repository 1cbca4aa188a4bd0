import type { z } from 'zod';
import type { CallRequest } from '../../../calls/call-context.ts';
import type { StreamedCall } from '../../../calls/stream-call.ts';
import type { ModelResponse } from '../../../contracts/calls.ts';
import type { CallEnd, SucceededEnd } from '../../../domain/call-result.ts';
import { refuse, Unavailable } from '../../../errors.ts';
import { chunksOf } from '../../stream/chunks.ts';
import { EventStream } from '../../stream/event-stream.ts';

/** The result of a successful call. A failed one is a 500, one that its closing job refused a 409, a retracted one a 503. */
export function answerOf(end: CallEnd): SucceededEnd {
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

/** The answer of a streamed call as server-sent events. */
export const eventStream = ({ model }: CallRequest, { call, outputs }: StreamedCall): EventStream => {
  const naming = { callId: call.callId, model, created: Math.floor(Date.now() / 1_000) };
  return new EventStream({ naming, ...(call.opensJob && { closesJob: call.job.job_id }) }, chunksOf(naming, outputs));
};
