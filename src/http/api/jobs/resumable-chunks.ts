import type { StreamOutput } from '../../../calls/frame-reorder.ts';
import type { CallResult } from '../../../domain/call-result.ts';
import type { Delta } from '../../../domain/chat-message.ts';
import { OutcomeUnknown } from '../../../errors.ts';
import type { Naming } from '../../stream/event-stream.ts';
import { errorEvent, finalChunk, firstChunk, nextChunk } from '../calls/chunks.ts';
import { AnswerPosition } from './answer-position.ts';

/** How long a client waits before it reads again, in milliseconds. `spec 26.8` */
const retry = 'retry: 1000\n\n';

/**
 * The events of a call from `sent` on, each with its id: those of `spec 5.9`, without what the client has. Throws `OutcomeUnknown`
 * where the answer breaks off: the client reads on from its last id.
 */
export async function* resumableChunks(
  naming: Naming,
  outputs: AsyncIterable<StreamOutput>,
  sent: AnswerPosition,
): AsyncGenerator<string> {
  const { callId } = naming;
  const event = (data: string) => `id: ${sent.idOf(callId)}\ndata: ${data}\n\n`;
  const chunkOf = (delta: Delta): string => {
    const data = sent.hasBegun ? nextChunk(naming, delta) : firstChunk(naming, delta);
    sent.hasBegun = true;
    return event(data);
  };
  const endOf = (end: CallResult): string => {
    const data = end.status === 'succeeded' ? finalChunk(naming, end) : errorEvent(end);
    sent.stage = 'ended';
    return event(data);
  };
  const from = new AnswerPosition();
  yield retry;
  for await (const output of outputs) {
    if (output.type === 'lost' || output.type === 'broken') throw new OutcomeUnknown();
    if (output.type === 'delta') {
      const missing = sent.take(output.delta, from);
      if (Object.keys(missing).length > 0) yield chunkOf(missing);
      continue;
    }
    const { end } = output;
    if (end.status === 'succeeded' && !sent.hasBegun) yield chunkOf({ content: '' });
    if (sent.stage === 'answer') yield endOf(end);
    sent.stage = 'done';
    yield event('[DONE]');
  }
}
