import { z } from 'zod';
import type { Delta, Message, ToolCall, ToolCallDelta } from '../domain/chat-message.ts';
import { reportedCost, type TokenUsage } from '../domain/pricing.ts';
import type { ToolCallIndex } from './tool-call-index.ts';

// The response of an OpenAI-compatible server, parsed leniently: only the fields in use, and any of them may be missing.

const maxTokenCount = 1_000_000_000;
const tokens = z.number().nonnegative().max(maxTokenCount).transform(Math.round);

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

/** Text for a column of its own. PostgreSQL accepts neither NUL nor half of a surrogate pair. */
const columnText = z.string().transform((text) => text.slice(0, 255).replaceAll('\0', '').toWellFormed());

/** TGI until 2025, and llama.cpp for a while in 2026, send an object instead of its JSON text. */
const argumentsJson = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((object) => JSON.stringify(object)),
]);

const ToolCallChunk = z.object({
  index: z.number().nullish(),
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  function: z.object({ name: z.string().nullish(), arguments: argumentsJson.nullish() }).nullish(),
});

/** Some servers send the content in parts. */
const contentParts = z
  .array(z.object({ text: z.string().nullish() }))
  .transform((all) => all.map(({ text }) => text ?? '').join(''));

/** Cloudflare's Workers AI streams a token of digits as a number. */
const content = z.union([z.string(), z.number().transform(String), contentParts]);

const messageFields = z.object({ content: content.nullish(), tool_calls: z.array(ToolCallChunk).nullish() }).nullish();

/** Moonshot sends the usage of a stream in its choice. */
const Choice = z.object({
  finish_reason: columnText.nullish(),
  message: messageFields,
  delta: messageFields,
  usage: Usage,
  error: z.unknown().optional(),
});

const Completion = z.object({
  model: columnText.nullish().catch(undefined),
  choices: z.array(Choice).nullish(),
  usage: Usage,
  error: z.unknown().optional(),
});

export type Completion = z.output<typeof Completion>;

/** Undefined if the text is not JSON, or the JSON is not a completion. */
export function readCompletion(text: string): Completion | undefined {
  try {
    return Completion.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type ReportedUsage = NonNullable<z.output<typeof Usage>>;

/**
 * xAI, and some proxies for Gemini, do not include reasoning in `completion_tokens`, as the total shows. It is billed as output,
 * so it is added.
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

/** Undefined if the upstream sent no token counts. */
export function usageOf({
  usage: ofCompletion,
  choices,
}: Completion): { usage: TokenUsage; reportedCostUsd: string | undefined } | undefined {
  const usage = ofCompletion ?? choices?.[0]?.usage;
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

/** The error in a response with status 200. OpenRouter sends it in the choice. */
export const errorOf = ({ error, choices }: Completion): unknown => error || choices?.[0]?.error;

/** What OpenRouter and Mistral, vLLM and SGLang, and DeepSeek send for an answer that they could not finish. */
const failedFinishReasons = new Set(['error', 'abort', 'insufficient_system_resource']);

export const isFailure = (finishReason: string): boolean => failedFinishReasons.has(finishReason);

const toolCall = (chunk: z.output<typeof ToolCallChunk>): ToolCall => ({
  id: chunk.id ?? '',
  type: 'function',
  function: { name: chunk.function?.name ?? '', arguments: chunk.function?.arguments ?? '' },
});

/** The message of a response that is not streamed; undefined if there is none. */
export function messageOf(completion: Completion): Message | undefined {
  const message = completion.choices?.[0]?.message;
  if (!message) return undefined;
  const toolCalls = message.tool_calls?.map(toolCall);
  return { content: message.content ?? '', ...(toolCalls?.length && { toolCalls }) };
}

function toolCallDelta(chunk: z.output<typeof ToolCallChunk>, toolCallIndex: ToolCallIndex): ToolCallDelta {
  const { index, id, name } = toolCallIndex.resolve(chunk);
  return {
    index,
    ...(id && { id, type: 'function' as const }),
    function: { ...(name && { name }), arguments: chunk.function?.arguments ?? '' },
  };
}

/** What a chunk of a stream adds to the message; undefined if nothing. */
export function deltaOf(completion: Completion, toolCallIndex: ToolCallIndex): Delta | undefined {
  const delta = completion.choices?.[0]?.delta;
  const content = delta?.content || undefined;
  const toolCalls = delta?.tool_calls?.length
    ? delta.tool_calls.map((chunk) => toolCallDelta(chunk, toolCallIndex))
    : undefined;
  if (!content && !toolCalls) return undefined;
  return { ...(content && { content }), ...(toolCalls && { tool_calls: toolCalls }) };
}
