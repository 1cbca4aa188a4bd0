import { z } from 'zod';
import type { Delta, Message, ToolCall, ToolCallDelta } from '../domain/chat-message.ts';
import { reportedCost, type TokenUsage } from '../domain/pricing.ts';
import type { ToolCallIndex } from './tool-call-index.ts';

/** The answer of an OpenAI-compatible server, read leniently: only the fields in use, none of which is trusted to be there. */
const largestCount = 1_000_000_000;
const tokens = z.number().nonnegative().max(largestCount).transform(Math.round);

const Usage = z
  .object({
    prompt_tokens: tokens.catch(0).default(0),
    completion_tokens: tokens.catch(0).default(0),
    total_tokens: tokens.optional().catch(undefined),
    completion_tokens_details: z
      .object({ reasoning_tokens: tokens.catch(0).default(0) })
      .nullish()
      .catch(undefined),
    cost: z.unknown().optional(),
  })
  .nullish()
  .catch(undefined);

/** A word for a column of its own, where PostgreSQL takes no NUL and no half of a surrogate pair. */
const word = z.string().transform((text) => text.slice(0, 255).replaceAll('\0', '').toWellFormed());

/** TGI until 2025, and llama.cpp for a while in 2026, send the object that should have been written as text. */
const writtenArguments = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((object) => JSON.stringify(object)),
]);

const ToolCallPiece = z.object({
  index: z.number().nullish(),
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  function: z.object({ name: z.string().nullish(), arguments: writtenArguments.nullish() }).nullish(),
});

/** Some servers send the content in parts. */
const parts = z
  .array(z.object({ text: z.string().nullish() }))
  .transform((all) => all.map(({ text }) => text ?? '').join(''));

/** Cloudflare's Workers AI streams a token of digits as a number. */
const content = z.union([z.string(), z.number().transform(String), parts]);

const said = z.object({ content: content.nullish(), tool_calls: z.array(ToolCallPiece).nullish() }).nullish();

/** Moonshot tells a stream's usage in its choice. */
const Choice = z.object({
  finish_reason: word.nullish(),
  message: said,
  delta: said,
  usage: Usage,
  error: z.unknown().optional(),
});

const Completion = z.object({
  model: word.nullish().catch(undefined),
  choices: z.array(Choice).nullish(),
  usage: Usage,
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

type ReportedUsage = NonNullable<z.output<typeof Usage>>;

/**
 * xAI, and some proxies for Gemini, count reasoning beside `completion_tokens` and not in it, which the total shows. It is
 * billed as output.
 */
function completionTokensOf({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  completion_tokens_details,
}: ReportedUsage) {
  const withReasoning = completion_tokens + (completion_tokens_details?.reasoning_tokens ?? 0);
  return prompt_tokens + withReasoning === total_tokens ? withReasoning : completion_tokens;
}

/** Undefined when the upstream sent no token counts. */
export function usageOf({
  usage: ofAll,
  choices,
}: Completion): { usage: TokenUsage; reportedCostUsd: string | undefined } | undefined {
  const usage = ofAll ?? choices?.[0]?.usage;
  if (!usage) return undefined;
  const promptTokens = usage.prompt_tokens;
  const completionTokens = completionTokensOf(usage);
  return {
    usage: { promptTokens, completionTokens, totalTokens: usage.total_tokens || promptTokens + completionTokens },
    reportedCostUsd: reportedCost(usage.cost),
  };
}

export const finishReasonOf = (completion: Completion): string | undefined =>
  completion.choices?.[0]?.finish_reason || undefined;

/** What an answer of status 200 says of its own failure. OpenRouter says it of the choice. */
export const errorOf = ({ error, choices }: Completion): unknown => error || choices?.[0]?.error;

/** The words of OpenRouter and Mistral, of vLLM and SGLang, and of DeepSeek for an answer that they could not finish. */
const failures = new Set(['error', 'abort', 'insufficient_system_resource']);

export const isFailure = (finishReason: string): boolean => failures.has(finishReason);

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

function toolCallDelta(piece: z.output<typeof ToolCallPiece>, places: ToolCallIndex): ToolCallDelta {
  const { place, id, name } = places.of(piece);
  return {
    index: place,
    ...(id && { id, type: 'function' as const }),
    function: { ...(name && { name }), arguments: piece.function?.arguments ?? '' },
  };
}

/** What a chunk adds; undefined when it adds nothing. */
export function deltaOf(completion: Completion, places: ToolCallIndex): Delta | undefined {
  const delta = completion.choices?.[0]?.delta;
  const content = delta?.content || undefined;
  const toolCalls = delta?.tool_calls?.length
    ? delta.tool_calls.map((piece) => toolCallDelta(piece, places))
    : undefined;
  if (!content && !toolCalls) return undefined;
  return { ...(content && { content }), ...(toolCalls && { tool_calls: toolCalls }) };
}
