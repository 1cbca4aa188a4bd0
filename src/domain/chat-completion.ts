import type { Message, ToolCall } from './chat-message.ts';

/** Rules for an answer in the form of OpenAI's chat completions. `spec 17.18` */

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** Other words for `length`. */
const ofLength = new Set(['max_tokens', 'max_output_tokens']);

/** What a message has beside its texts. */
export interface Called {
  hasToolCalls: boolean;
  hasFunctionCall: boolean;
}

/** The finish reason that a client knows, for any that an upstream gives. */
export function finishReasonOf(reason: string, { hasToolCalls, hasFunctionCall }: Called): FinishReason {
  const word = reason.toLowerCase();
  const known = ofLength.has(word) ? 'length' : (finishReasons.find((one) => one === word) ?? 'stop');
  if (known === 'length' || known === 'content_filter') return known;
  if (hasToolCalls) return 'tool_calls';
  return hasFunctionCall ? 'function_call' : known;
}

/** An upstream's longer id of a tool call is replaced. */
const maxIdCharacters = 16_384;

/** The id of a tool call: the upstream's, or else one that is the same whenever the call is shown. */
export function toolCallId(
  { id, hasLateId }: Pick<ToolCall, 'id' | 'hasLateId'>,
  callId: string,
  index: number,
): string {
  const isUsable = id !== '' && !hasLateId && id.length <= maxIdCharacters;
  return isUsable ? id : `call_${callId.replaceAll('-', '')}${index}`;
}

/** What completes the arguments of a call: a call without any has an empty object. */
export const restOfArguments = (json: string): string => (json.trim() === '' ? '{}' : '');

/** The tool calls of a message, and apart from them the function call that it may begin with. */
export function splitCalls({ toolCalls = [] }: Pick<Message, 'toolCalls'>) {
  const [first, ...others] = toolCalls;
  return first?.isFunctionCall ? { functionCall: first, toolCalls: others } : { functionCall: undefined, toolCalls };
}
