import type { CallWithPayload } from '../../../api/types.ts';

export interface Message {
  role: string;
  text: string;
}

type Content = string | null | undefined | { type?: string; text?: string }[];

/** A text, or parts of which those that are no text are named. */
function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => part.text ?? `[${part.type ?? 'part'}]`).join('\n');
}

interface Sent {
  role?: string;
  content?: Content;
  tool_calls?: { function?: { name?: string; arguments?: string } }[];
}

const messageOf = ({ role = 'assistant', content, tool_calls = [] }: Sent): Message => {
  const calls = tool_calls.map(({ function: called }) => `${called?.name ?? 'function'}(${called?.arguments ?? ''})`);
  return { role, text: [textOf(content), ...calls].filter(Boolean).join('\n') };
};

/** The conversation of a call with its answer; undefined where the request was cut, and is no JSON any more. */
export function messagesOf({
  request,
  response,
}: Pick<CallWithPayload, 'request' | 'response'>): Message[] | undefined {
  const sent = (request as { messages?: Sent[] } | null)?.messages;
  if (!Array.isArray(sent)) return undefined;
  const answer = typeof response === 'object' && response !== null ? [messageOf(response as Sent)] : [];
  return [...sent.map(messageOf), ...answer];
}
