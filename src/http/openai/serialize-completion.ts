import type { SucceededResult } from '../../domain/call-result.ts';
import type { Message, ToolCall } from '../../domain/chat-message.ts';
import { meaningOfFinish, stopped } from '../../domain/finish-reason.ts';
import { completionId } from '../../domain/ids.ts';
import type { TokenUsage } from '../../domain/pricing.ts';
import type { Naming } from '../stream/event-stream.ts';
import type { ChatResponse, ChatUsage, FinishReason } from './chat-response.ts';

// Rules for an answer in the form of OpenAI, whole or as a stream. `spec 17.18`

/** What a message has beside its texts. */
export interface Called {
  hasToolCalls: boolean;
  hasFunctionCall: boolean;
}

/** The finish reason that a client knows, for any that an upstream gives. Calls that are not there are not announced. */
export function toFinishReason(reason: string, { hasToolCalls, hasFunctionCall }: Called): FinishReason {
  if (reason === stopped) return 'stop';
  const meaning = meaningOfFinish(reason);
  if (meaning === 'length' || meaning === 'content_filter') return meaning;
  if (hasToolCalls) return 'tool_calls';
  return hasFunctionCall ? 'function_call' : 'stop';
}

/** The tool calls of a message, and apart from them the function call that it may begin with. */
function splitCalls({ toolCalls = [] }: Pick<Message, 'toolCalls'>) {
  const [first, ...others] = toolCalls;
  return first?.isFunctionCall ? { functionCall: first, toolCalls: others } : { functionCall: undefined, toolCalls };
}

/** The usage in the form of OpenAI. Details are there where the upstream reported them. */
export const toUsage = (usage: TokenUsage): ChatUsage => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.totalTokens,
  ...(usage.cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: usage.cachedTokens } }),
  ...(usage.reasoningTokens !== undefined && {
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }),
});

type ChatMessage = ChatResponse['choices'][number]['message'];

const toCalled = ({ function: { name, arguments: json } }: ToolCall) => ({ name, arguments: json });

/** The message in the form of OpenAI, from its known fields alone. `spec 17.17` */
function serializeMessage(message: Message): ChatMessage {
  const { functionCall, toolCalls } = splitCalls(message);
  const hasCalls = functionCall !== undefined || toolCalls.length > 0;
  return {
    role: 'assistant',
    content: message.content || (hasCalls || message.refusal ? null : ''),
    refusal: message.refusal || null,
    ...(message.reasoning_content && { reasoning_content: message.reasoning_content }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: toCalled(call),
      })),
    }),
    ...(functionCall && { function_call: toCalled(functionCall) }),
    ...(message.annotations && { annotations: message.annotations }),
  };
}

/** The answer of a call in the form of OpenAI. */
export function serializeCompletion({ callId, model, created }: Naming, end: SucceededResult): ChatResponse {
  const message = end.message ?? { content: '' };
  const { functionCall, toolCalls } = splitCalls(message);
  const called = { hasToolCalls: toolCalls.length > 0, hasFunctionCall: functionCall !== undefined };
  return {
    id: completionId(callId),
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: serializeMessage(message),
        finish_reason: toFinishReason(end.finishReason, called),
        logprobs: null,
      },
    ],
    usage: toUsage(end.usage),
  };
}
