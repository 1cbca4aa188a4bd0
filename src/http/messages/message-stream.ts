import type { StreamOutput } from '../../calls/frame-reorder.ts';
import { OutcomeUnknown, type Refusal, refuse } from '../../errors.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import { NamedEventStream, namedEvent, type StreamRecord } from '../stream/event-stream.ts';
import { withShownFigures } from './context-figures.ts';
import { MessageEvents } from './message-events.ts';
import { messagesError } from './messages-surface.ts';

/** What a stream has besides the record of its call. */
export interface MessageStreamOptions {
  requestId: string;
  /** The estimated tokens of the prompt. */
  inputTokens: number;
}

const ping = namedEvent('ping', { type: 'ping' });

class MessageStream extends NamedEventStream {
  override keepaliveText(): string {
    return ping;
  }
}

function errorEvent({ status, code, message: detail, figures }: Refusal, requestId: string): string {
  return namedEvent('error', messagesError({ status, code, detail, figures, requestId }));
}

/**
 * The outputs of a call as events. `message_stop` follows when a job that ends with the call has ended. Throws `OutcomeUnknown` where the
 * answer breaks off: the connection is broken then, so that the client repeats the request.
 */
async function* toEvents(
  { naming, options }: StreamRecord<MessageStreamOptions>,
  outputs: AsyncIterable<StreamOutput>,
): AsyncGenerator<string> {
  const { requestId, inputTokens } = options!;
  const events = new MessageEvents(naming);
  let hasSucceeded = false;
  yield* events.begin(inputTokens);
  for await (const output of outputs) {
    if (output.type === 'delta') yield* events.delta(output.delta);
    if (output.type === 'lost') yield errorEvent(refuse('upstream_error', 'the stream was lost'), requestId);
    if (output.type === 'broken') throw new OutcomeUnknown();
    if (output.type !== 'end') continue;
    hasSucceeded = output.end.status === 'succeeded';
    if (output.end.status === 'succeeded') yield* events.end(output.end);
    else yield errorEvent(withShownFigures(refusalOfCall(output.end), inputTokens), requestId);
  }
  if (hasSucceeded) yield* events.stop();
}

/** The answer of a streamed call as server-sent events. */
export const messageStream = (
  record: StreamRecord<MessageStreamOptions>,
  outputs: AsyncIterable<StreamOutput>,
): MessageStream => new MessageStream(toEvents(record, outputs), record);
