import type { StreamOutput } from '../../../calls/frame-reorder.ts';
import { Chunk } from '../../../contracts/calls.ts';
import type { CallResult, SucceededResult } from '../../../domain/call-result.ts';
import type { Delta } from '../../../domain/chat-message.ts';
import { completionId } from '../../../domain/ids.ts';
import { OutcomeUnknown } from '../../../errors.ts';
import type { EventForm } from '../../route.ts';
import { EventStream, type Naming, type StreamRecord, toLine } from '../../stream/event-stream.ts';

const chunk = ({ callId, model, created }: Naming, delta: object, finishReason: string | null) => ({
  id: completionId(callId),
  object: 'chat.completion.chunk',
  created,
  model,
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});

/** A refusal is a text like any other here, and a function call a tool call. */
const toDelta = ({ content = '', refusal = '', tool_calls }: Delta) => ({
  ...((content || refusal) && { content: content + refusal }),
  ...(tool_calls && { tool_calls: tool_calls.map(({ isFunctionCall, ...piece }) => piece) }),
});

export const firstChunk = (naming: Naming, delta: Delta): string =>
  toLine(
    chunk(
      naming,
      { role: 'assistant', ...(delta.tool_calls ? { content: null } : { content: '' }), ...toDelta(delta) },
      null,
    ),
  );

export const nextChunk = (naming: Naming, delta: Delta): string => toLine(chunk(naming, toDelta(delta), null));

export const finalChunk = (naming: Naming, end: SucceededResult): string =>
  toLine({
    ...chunk(naming, {}, end.finishReason),
    usage: {
      prompt_tokens: end.usage.promptTokens,
      completion_tokens: end.usage.completionTokens,
      total_tokens: end.usage.totalTokens,
    },
  });

const toError = (end: Exclude<CallResult, SucceededResult>) => {
  if (end.status === 'failed')
    return { message: `LLM call failed: ${end.error}`, type: 'upstream_error', code: 'call_failed' };
  if (end.status === 'retracted')
    return { message: 'Service temporarily unavailable', type: 'unavailable', code: 'unavailable' };
  return { message: `Job is already ${end.error}`, type: 'job_finished', code: 'job_finished' };
};

export const errorEvent = (end: Exclude<CallResult, SucceededResult>): string => toLine({ error: toError(end) });

const lostEvent: string = toLine({
  error: { message: 'The stream was lost, and the call has ended', type: 'stream_error', code: 'stream_lost' },
});

/** The outputs of a call as the data of events, in the chunk grammar of `spec 5.9`. Throws `OutcomeUnknown` where the answer breaks off. */
async function* toChunks(naming: Naming, outputs: AsyncIterable<StreamOutput>): AsyncGenerator<string> {
  let hasBegun = false;
  const writeChunk = (delta: Delta) => {
    const event = hasBegun ? nextChunk(naming, delta) : firstChunk(naming, delta);
    hasBegun = true;
    return event;
  };
  for await (const output of outputs) {
    if (output.type === 'delta') yield writeChunk(output.delta);
    if (output.type === 'lost') yield lostEvent;
    if (output.type === 'broken') throw new OutcomeUnknown();
    if (output.type !== 'end') continue;
    const { end } = output;
    if (end.status === 'succeeded' && !hasBegun) yield writeChunk({ content: '' });
    yield end.status === 'succeeded' ? finalChunk(naming, end) : errorEvent(end);
  }
}

/** The answer of a streamed call as server-sent events. */
export const chunkStream = (record: StreamRecord, outputs: AsyncIterable<StreamOutput>): EventStream =>
  new EventStream(toChunks(record.naming, outputs), record);

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
  toStream: chunkStream,
};
