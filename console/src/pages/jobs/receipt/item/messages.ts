import type { CallWithPayload } from '../../../../api/types.ts';
import { formatBytes } from '../../../../format/number.ts';

export interface ChatMessage {
  role: string;
  text: string;
}

type Content = string | null | undefined | { type?: string; text?: string }[];

/** A text, or parts of which those that are no text are named. */
function toText(content: Content): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => part.text ?? `[${part.type ?? 'part'}]`).join('\n');
}

interface NotKept {
  not_kept?: { bytes: number; sha256: string };
}

/** The sentence that is shown for a text of which only the length and the SHA-256 are kept; undefined for one that is kept. */
export function notKeptNote(value: unknown): string | undefined {
  const { not_kept } = (typeof value === 'object' && value !== null ? value : {}) as NotKept;
  return not_kept && `Not kept: ${formatBytes(not_kept.bytes)}, SHA-256 ${not_kept.sha256}`;
}

interface Sent {
  role?: string;
  content?: Content;
  refusal?: string | null;
  tool_calls?: ToolCall[];
}
interface ToolCall {
  function?: { name?: string; arguments?: string };
}

const toMessage = ({ role = 'assistant', content, refusal, tool_calls = [] }: Sent): ChatMessage => {
  const calls = tool_calls.map(({ function: called }) => `${called?.name ?? 'function'}(${called?.arguments ?? ''})`);
  return { role, text: [toText(content), refusal, ...calls].filter(Boolean).join('\n') };
};

function sentMessages(request: unknown): ChatMessage[] | undefined {
  const note = notKeptNote(request);
  if (note) return [{ role: 'request', text: note }];
  const sent = (request as { messages?: Sent[] } | null)?.messages;
  return Array.isArray(sent) ? sent.map(toMessage) : undefined;
}

/** The conversation of a call with its answer; undefined where the request was cut, and is no JSON any more. */
export function toMessages({
  request,
  response,
}: Pick<CallWithPayload, 'request' | 'response'>): ChatMessage[] | undefined {
  const sent = sentMessages(request);
  if (!sent) return undefined;
  if (typeof response !== 'object' || response === null) return sent;
  const note = notKeptNote(response);
  return [...sent, note ? { role: 'assistant', text: note } : toMessage(response as Sent)];
}
