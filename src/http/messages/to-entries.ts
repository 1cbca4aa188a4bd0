import type { ToolCall } from '../../domain/chat-message.ts';
import type { ChatPart, Entry, TextPart } from '../v1/conversation.ts';
import type { Block, InputMessage } from './blocks.ts';
import { cacheMark, leaveOut, type Path, type Translating, textPart, toPart } from './to-parts.ts';

/** The messages of Anthropic as the steps of a conversation. `spec 28.4` */

/** It differs from session to session, and would spoil the cache of the prompt. */
const billingHeader = 'x-anthropic-billing-header:';

type Content = string | readonly Block[] | null | undefined;

/** Changes of the tools, which are no text for the model. */
const isToolChange = ({ type }: Block): boolean => type === 'tool_addition' || type === 'tool_removal';

function toTexts(translating: Translating, content: Content, path: Path): TextPart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)];
  return (content ?? []).flatMap((block, index) => {
    if (block.type === 'text') return [textPart(block.text as string, block)];
    if (!isToolChange(block)) leaveOut(translating, [...path, index]);
    return [];
  });
}

/** The instructions before the messages. */
export function toInstructions(translating: Translating, system: Content): Entry[] {
  const first = typeof system === 'string' ? undefined : system?.[0];
  const isBilling = typeof first?.text === 'string' && first.text.startsWith(billingHeader);
  const texts = toTexts(translating, system, ['body', 'system']);
  const parts = isBilling ? texts.slice(1) : texts;
  return parts.length > 0 ? [{ kind: 'system', parts }] : [];
}

/** A result has text for the tool message, and media for the message after it. */
function toResult(translating: Translating, block: Block, path: Path): Entry {
  const { tool_use_id: callId, content, cache_control: cacheControl } = block;
  const texts: string[] = [];
  const media: ChatPart[] = [];
  const blocks = typeof content === 'string' ? [textPart(content)] : ((content as Block[] | null | undefined) ?? []);
  for (const [index, inner] of blocks.entries()) {
    const at = [...path, 'content', index];
    const part = inner.type === 'tool_reference' ? textPart(inner.tool_name as string) : toPart(translating, inner, at);
    if (!part) leaveOut(translating, at);
    else if (part.type === 'text') texts.push((part as TextPart).text);
    else media.push(part);
  }
  return { kind: 'result', callId: callId as string, text: texts.join('\n'), media, cacheControl };
}

function toUserEntries(translating: Translating, content: Content, path: Path): Entry[] {
  if (typeof content === 'string') return [{ kind: 'user', parts: [textPart(content)] }];
  const entries: Entry[] = [];
  let parts: ChatPart[] = [];
  const endParts = () => {
    if (parts.length > 0) entries.push({ kind: 'user', parts });
    parts = [];
  };
  for (const [index, block] of (content ?? []).entries()) {
    const at = [...path, index];
    if (block.type === 'tool_result') {
      endParts();
      entries.push(toResult(translating, block, at));
      continue;
    }
    const part = toPart(translating, block, at);
    if (part) parts.push(part);
    else if (!isToolChange(block)) leaveOut(translating, at);
  }
  endParts();
  return entries;
}

const toCall = ({ id, name, input }: Block): ToolCall => ({
  id: id as string,
  type: 'function',
  function: { name: name as string, arguments: JSON.stringify(input ?? {}) },
});

/** The text of reasoning is left out: only what the model has signed goes back to it. */
const sealedOf = ({ type, signature, data }: Block): string[] => {
  const sealed = type === 'thinking' ? signature : data;
  return typeof sealed === 'string' && sealed !== '' ? [sealed] : [];
};

function toAssistantEntry(translating: Translating, content: Content, path: Path): Entry {
  if (typeof content === 'string') return { kind: 'assistant', text: [textPart(content)] };
  const text: TextPart[] = [];
  const calls: ToolCall[] = [];
  const sealed: string[] = [];
  let cacheControl: unknown;
  for (const [index, block] of (content ?? []).entries()) {
    if (block.type === 'text') text.push(textPart(block.text as string, block));
    else if (block.type === 'tool_use') {
      calls.push(toCall(block));
      if (cacheMark(block)) cacheControl = block.cache_control;
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') sealed.push(...sealedOf(block));
    else leaveOut(translating, [...path, index]);
  }
  return { kind: 'assistant', text, calls, sealed, cacheControl };
}

/** What is only for the answer to the message before it, which a later message of the user ends. */
const isCleared = ({ clear_at }: InputMessage, hasLaterUser: boolean): boolean =>
  clear_at === 'next_user_message' && hasLaterUser;

export function toEntries(translating: Translating, messages: readonly InputMessage[]): Entry[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages.flatMap((message, index): Entry[] => {
    const path = ['body', 'messages', index, 'content'];
    const { role, content } = message;
    if (role === 'user') return toUserEntries(translating, content, path);
    if (role === 'assistant') return [toAssistantEntry(translating, content, path)];
    const parts = isCleared(message, lastUser > index) ? [] : toTexts(translating, content, path);
    return parts.length > 0 ? [{ kind: 'system', parts }] : [];
  });
}
