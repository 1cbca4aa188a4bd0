import type { ChatResponse } from '../../../contracts/openai/chat-response.ts';
import type { SucceededResult } from '../../../domain/call-result.ts';
import { finishReasonOf, restOfArguments, splitCalls, toolCallId } from '../../../domain/chat-completion.ts';
import type { Message, ToolCall } from '../../../domain/chat-message.ts';
import { completionId } from '../../../domain/ids.ts';
import type { Naming } from '../../stream/chunks.ts';
import { usageOf } from '../../stream/openai-usage.ts';

type ChatMessage = ChatResponse['choices'][number]['message'];

const calledOf = ({ function: { name, arguments: json } }: ToolCall) => ({
  name,
  arguments: json + restOfArguments(json),
});

/** The message in the form of OpenAI, from its known fields alone. `spec 17.17` */
function serializeMessage(message: Message, callId: string): ChatMessage {
  const { functionCall, toolCalls } = splitCalls(message);
  const all = message.toolCalls ?? [];
  const hasCalls = all.length > 0;
  return {
    role: 'assistant',
    content: message.content || (hasCalls || message.refusal ? null : ''),
    refusal: message.refusal || null,
    ...(message.reasoning_content && { reasoning_content: message.reasoning_content }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        id: toolCallId(call, callId, all.indexOf(call)),
        type: 'function' as const,
        function: calledOf(call),
      })),
    }),
    ...(functionCall && { function_call: calledOf(functionCall) }),
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
        message: serializeMessage(message, callId),
        finish_reason: finishReasonOf(end.finishReason, called),
        logprobs: null,
      },
    ],
    usage: usageOf(end.usage),
  };
}
