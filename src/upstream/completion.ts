import { z } from 'zod';
import type { Delta, Message, ToolCall, ToolCallDelta } from '../domain/frames.ts';
import { reportedCost, type TokenUsage } from '../domain/pricing.ts';
import type { ToolCallPlaces } from './tool-call-places.ts';

/** The answer of an OpenAI-compatible server, read leniently: only the fields in use, none of which is trusted to be there. */
const largestCount = 1_000_000_000;
const tokens = z.number().nonnegative().max(largestCount).transform(Math.round);

const Usage = z.object({
  prompt_tokens: tokens.catch(0).default(0),
  completion_tokens: tokens.catch(0).default(0),
  total_tokens: tokens.optional().catch(undefined),
  cost: z.unknown().optional(),
});

/** A word for a column of its own, where PostgreSQL takes no NUL and no half of a surrogate pair. */
const word = z.string().transform((text) => text.slice(0, 255).replaceAll('\0', '').toWellFormed());

const ToolCallPiece = z.object({
  index: z
    .number()
    .nullish()
    .transform((index) => index ?? 0),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

/** Some servers send the content in parts. */
const parts = z
  .array(z.object({ text: z.string().nullish() }))
  .transform((all) => all.map(({ text }) => text ?? '').join(''));

const said = z
  .object({ content: z.union([z.string(), parts]).nullish(), tool_calls: z.array(ToolCallPiece).nullish() })
  .nullish();

const Completion = z.object({
  model: word.nullish().catch(undefined),
  choices: z.array(z.object({ finish_reason: word.nullish(), message: said, delta: said })).nullish(),
  usage: Usage.nullish().catch(undefined),
  error: z.unknown().optional(),
});

export type Completion = z.output<typeof Completion>;

/** Undefined: not JSON, or nothing like a completion. */
export function readCompletion(text: string): Completion | undefined {
  try {
    return Completion.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Undefined when the upstream sent no token counts. */
export function usageOf({ usage }: Completion): { usage: TokenUsage; reportedCostUsd: string | undefined } | undefined {
  if (!usage) return undefined;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
  return {
    usage: { promptTokens, completionTokens, totalTokens: usage.total_tokens || promptTokens + completionTokens },
    reportedCostUsd: reportedCost(usage.cost),
  };
}

export const finishReasonOf = (completion: Completion): string | undefined =>
  completion.choices?.[0]?.finish_reason || undefined;

const toolCall = (piece: z.output<typeof ToolCallPiece>): ToolCall => ({
  id: piece.id ?? '',
  type: 'function',
  function: { name: piece.function?.name ?? '', arguments: piece.function?.arguments ?? '' },
});

/** The message of a call that is not streamed; undefined when there is none. */
export function messageOf(completion: Completion): Message | undefined {
  const message = completion.choices?.[0]?.message;
  if (!message) return undefined;
  const toolCalls = message.tool_calls?.map(toolCall);
  return { content: message.content ?? '', ...(toolCalls?.length && { toolCalls }) };
}

const toolCallDelta = (piece: z.output<typeof ToolCallPiece>, places: ToolCallPlaces): ToolCallDelta => ({
  index: places.of(piece),
  ...(piece.id && { id: piece.id, type: 'function' as const }),
  function: {
    ...(piece.function?.name && { name: piece.function.name }),
    arguments: piece.function?.arguments ?? '',
  },
});

/** What a chunk adds; undefined when it adds nothing. */
export function deltaOf(completion: Completion, places: ToolCallPlaces): Delta | undefined {
  const delta = completion.choices?.[0]?.delta;
  const content = delta?.content || undefined;
  const toolCalls = delta?.tool_calls?.length
    ? delta.tool_calls.map((piece) => toolCallDelta(piece, places))
    : undefined;
  if (!content && !toolCalls) return undefined;
  return { ...(content && { content }), ...(toolCalls && { tool_calls: toolCalls }) };
}
