import { type AnswerPart, partsOf } from '../../domain/answer-parts.ts';
import type { SucceededResult } from '../../domain/call-result.ts';
import { hasToolCalls, type Message } from '../../domain/chat-message.ts';
import { readPartialObject } from '../../domain/formats/partial-object.ts';
import { messageId } from '../../domain/ids.ts';
import type { Naming } from '../stream/event-stream.ts';
import { noSignature } from './message-events.ts';
import type { MessageResponse } from './message-response.ts';
import { toStopReason } from './stop-reason.ts';
import { toMessageUsage } from './usage.ts';

type Block = MessageResponse['content'][number];

function toBlocks(part: AnswerPart, callId: string): Block[] {
  switch (part.type) {
    case 'reasoning':
      if (part.text === '') return part.sealed ? [{ type: 'redacted_thinking', data: part.sealed }] : [];
      return [{ type: 'thinking', thinking: part.text, signature: part.sealed ?? noSignature(callId) }];
    case 'tool_call': {
      const { id, function: called } = part.call;
      return [{ type: 'tool_use', id, name: called.name, input: readPartialObject(called.arguments) }];
    }
    default:
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  }
}

/** What the model wrote, in its order. */
export const toContent = (message: Message, callId: string): Block[] =>
  partsOf(message).flatMap((part) => toBlocks(part, callId));

/** The answer of a call in the form of Anthropic, from its known parts alone. `spec 28.7` */
export function serializeMessage({ callId, model }: Naming, end: SucceededResult): MessageResponse {
  const message = end.message ?? { content: '' };
  return {
    id: messageId(callId),
    type: 'message',
    role: 'assistant',
    model,
    content: toContent(message, callId),
    stop_reason: toStopReason(end.finishReason, hasToolCalls(message)),
    stop_sequence: null,
    usage: toMessageUsage(end.usage),
  };
}
