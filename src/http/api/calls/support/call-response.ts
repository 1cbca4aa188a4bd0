import type { z } from 'zod';
import type { ModelRequest } from '../../../../calls/call-context.ts';
import type { StreamedCall } from '../../../../calls/stream-call.ts';
import { Chunk, type ModelResponse } from '../../../../contracts/calls.ts';
import type { CallResult, SucceededResult } from '../../../../domain/call-result.ts';
import { type RefusalCode, refuse, Unavailable } from '../../../../errors.ts';
import type { EventForm } from '../../../route.ts';
import { finalChunk, firstChunk, nextChunk } from '../../../stream/chunks.ts';
import { type EventStream, eventStreamOf, recordedEnding } from '../../../stream/event-stream.ts';

/** The result of a successful call. A failed one is a 500, one that its closing job refused a 409, a retracted one a 503. */
export function answerOf(end: CallResult): SucceededResult {
  if (end.status === 'succeeded') return end;
  if (end.status === 'failed') throw refuse('call_failed', end.error);
  if (end.status === 'refused') throw refuse('job_finished', end.error);
  throw new Unavailable('worker');
}

export const serializeModelResponse = (end: SucceededResult): z.input<typeof ModelResponse> => ({
  content: end.message?.content || end.message?.refusal || '',
  finish_reason: end.finishReason,
  ...(end.message?.toolCalls && { tool_calls: end.message.toolCalls }),
});

/** The answer of a streamed call as server-sent events. */
export const eventStream = ({ model }: ModelRequest, { call, outputs }: StreamedCall): EventStream => {
  const naming = { callId: call.callId, model, created: Math.floor(Date.now() / 1_000) };
  return eventStreamOf({ naming, ...recordedEnding(call) }, outputs);
};

/** The refusals that every call may get: `spec 4.1` and `spec 9.1`. */
const anyCall = ['model_group_denied', 'model_group_unusable', 'model_group_empty', 'rate_limited'] as const;

export const refusalsInJob: readonly RefusalCode[] = [
  'job_of_another_team',
  'job_not_found',
  'job_finished',
  ...anyCall,
];

export const refusalsOfSingle: readonly RefusalCode[] = ['key_of_another_team', 'insufficient_credits', ...anyCall];

const naming = { callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2', model: 'chat-large', created: 1_769_851_800 };
const usage = { promptTokens: 60, completionTokens: 28, totalTokens: 88 };

/** The events of a stream, with an example that is made by the functions that make the real ones. */
export const chunkEvents: EventForm = {
  event: Chunk,
  example: [
    firstChunk(naming, { content: 'In January revenue rose by 12 percent to 4.2 million USD' }),
    nextChunk(naming, { content: ' at unchanged costs, and 42 customers were gained.' }),
    finalChunk(naming, { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 }),
  ],
  isOptional: false,
};
