import { type AnswerPart, partsOf, shownState } from '../../domain/answer-parts.ts';
import type { SucceededResult } from '../../domain/call-result.ts';
import { hasToolCalls, type Message } from '../../domain/chat-message.ts';
import { readPartialObject } from '../../domain/formats/partial-object.ts';
import { messageId } from '../../domain/ids.ts';
import type { Naming } from '../stream/event-stream.ts';
import { noSignature } from './message-events.ts';
import type { MessageResponse } from './message-response.ts';
import { toStop } from './stop-reason.ts';
import { toMessageUsage } from './usage.ts';

type Block = MessageResponse['content'][number];

function toThinking(thinking: string, sealed: string | undefined, callId: string): Block[] {
  if (thinking === '') return sealed ? [{ type: 'redacted_thinking', data: sealed }] : [];
  return [{ type: 'thinking', thinking, signature: sealed ?? noSignature(callId) }];
}

function toBlocks(part: AnswerPart, callId: string): Block[] {
  switch (part.type) {
    case 'reasoning':
      return toThinking(part.text, part.sealed, callId);
    case 'tool_call': {
      const { id, function: called } = part.call;
      return [{ type: 'tool_use', id, name: called.name, input: readPartialObject(called.arguments) }];
    }
    default:
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  }
}

/** What the model wrote, in its order, with all of its states. */
export const toContent = (message: Message, callId: string): Block[] =>
  partsOf(message).flatMap((part) => toBlocks(part, callId));

const shownPart = (part: AnswerPart): AnswerPart =>
  part.type === 'reasoning' && part.sealed ? { ...part, sealed: shownState(part.sealed) } : part;

/** The same as a client is given it. */
const toShownContent = (message: Message, callId: string): Block[] =>
  partsOf(message).flatMap((part) => toBlocks(shownPart(part), callId));

/** The answer of a call in the form of Anthropic, from its known parts alone. `spec 28.7` */
export function serializeMessage({ callId, model }: Naming, end: SucceededResult): MessageResponse {
  const message = end.message ?? { content: '' };
  return {
    id: messageId(callId),
    type: 'message',
    role: 'assistant',
    model,
    content: toShownContent(message, callId),
    ...toStop(end, hasToolCalls(message)),
    usage: toMessageUsage(end.usage),
  };
}
