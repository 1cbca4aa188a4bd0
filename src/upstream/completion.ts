import { z } from 'zod';
import type { Delta, Message, ToolCall, ToolCallDelta } from '../domain/frames.ts';
import { noTokens, reportedCost, type TokenUsage } from '../domain/pricing.ts';

/** What an OpenAI-compatible server says, read leniently: only what we use, and nothing of it is trusted to be there. */
const tokens = z.number().nonnegative().max(2_000_000_000).transform(Math.round).catch(0);

const Usage = z.object({
  prompt_tokens: tokens.default(0),
  completion_tokens: tokens.default(0),
  total_tokens: tokens.optional(),
  cost: z.unknown().optional(),
});

const ToolCallPiece = z.object({
  index: z.number().int().nonnegative().max(127).default(0),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const Choice = z.object({
  finish_reason: z.string().max(100).nullish(),
  message: z.object({ content: z.string().nullish(), tool_calls: z.array(ToolCallPiece).nullish() }).nullish(),
  delta: z.object({ content: z.string().nullish(), tool_calls: z.array(ToolCallPiece).nullish() }).nullish(),
});

const Completion = z.object({
  model: z.string().nullish(),
  choices: z.array(Choice).nullish(),
  usage: Usage.nullish(),
  error: z.unknown().optional(),
});

type Completion = z.output<typeof Completion>;

export const readCompletion = (json: unknown): Completion | undefined => {
  const parsed = Completion.safeParse(json);
  return parsed.success ? parsed.data : undefined;
};

/** Undefined when the upstream said nothing of tokens. */
export function usageOf(
  completion: Completion,
): { usage: TokenUsage; reportedCostUsd: string | undefined } | undefined {
  const { usage } = completion;
  if (!usage) return undefined;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
  return {
    usage: { promptTokens, completionTokens, totalTokens: usage.total_tokens ?? promptTokens + completionTokens },
    reportedCostUsd: reportedCost(usage.cost),
  };
}

const wellFormed = (text: string): string => text.toWellFormed();

const toolCall = (piece: z.output<typeof ToolCallPiece>): ToolCall => ({
  id: piece.id ?? '',
  type: 'function',
  function: { name: piece.function?.name ?? '', arguments: wellFormed(piece.function?.arguments ?? '') },
});

/** The whole answer of a call that is not streamed; undefined when there is none. */
export function messageOf(completion: Completion): { message: Message; finishReason: string } | undefined {
  const choice = completion.choices?.[0];
  if (!choice?.message) return undefined;
  const { content, tool_calls } = choice.message;
  const toolCalls = tool_calls?.length ? tool_calls.map(toolCall) : undefined;
  return {
    message: { content: wellFormed(content ?? ''), ...(toolCalls && { toolCalls }) },
    finishReason: choice.finish_reason ?? (toolCalls ? 'tool_calls' : 'stop'),
  };
}

const toolCallDelta = (piece: z.output<typeof ToolCallPiece>): ToolCallDelta => ({
  index: piece.index,
  ...(piece.id && { id: piece.id, type: 'function' as const }),
  function: {
    ...(piece.function?.name && { name: piece.function.name }),
    arguments: piece.function?.arguments ?? '',
  },
});

/** What a chunk adds; undefined when it adds nothing. */
export function deltaOf(completion: Completion): Delta | undefined {
  const delta = completion.choices?.[0]?.delta;
  const content = delta?.content || undefined;
  const toolCalls = delta?.tool_calls?.length ? delta.tool_calls.map(toolCallDelta) : undefined;
  return content || toolCalls
    ? { ...(content && { content }), ...(toolCalls && { tool_calls: toolCalls }) }
    : undefined;
}

export const finishReasonOf = (completion: Completion): string | undefined =>
  completion.choices?.[0]?.finish_reason ?? undefined;

/** Adds what a chunk said to what was said before it. */
export function append(message: Message, delta: Delta): void {
  message.content += delta.content ?? '';
  for (const piece of delta.tool_calls ?? []) {
    message.toolCalls ??= [];
    const call = (message.toolCalls[piece.index] ??= toolCall({ index: piece.index }));
    call.id ||= piece.id ?? '';
    call.function.name ||= piece.function?.name ?? '';
    call.function.arguments += piece.function?.arguments ?? '';
  }
}

export { noTokens };
