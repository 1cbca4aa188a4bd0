import { z } from 'zod';
import { callFailures } from '../domain/call-failure.ts';
import type { CallResult } from '../domain/call-result.ts';
import { finalJobStatuses } from '../domain/job-state.ts';

const count = z.number().int().nonnegative();
const usage = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  cachedTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  reasoningTokens: count.optional(),
});

export const annotations = z.array(
  z.object({
    type: z.literal('url_citation'),
    url_citation: z.object({
      url: z.string(),
      title: z.string().optional(),
      start_index: z.number().optional(),
      end_index: z.number().optional(),
    }),
  }),
);

const piece = z.tuple([
  z.union([
    z.enum(['reasoning_content', 'content', 'refusal', 'states', 'annotations']),
    z.templateLiteral(['tool:', z.number()]),
  ]),
  count,
]);

const message = z.object({
  content: z.string(),
  refusal: z.string().optional(),
  reasoning_content: z.string().optional(),
  annotations: annotations.optional(),
  states: z.array(z.string()).optional(),
  order: z.array(piece).optional(),
  toolCalls: z
    .array(
      z.object({
        id: z.string(),
        type: z.literal('function'),
        function: z.object({ name: z.string(), arguments: z.string() }),
        isFunctionCall: z.literal(true).optional(),
      }),
    )
    .optional(),
  stopSequence: z.string().optional(),
  embeddings: z.object({ type: z.enum(['float32', 'float64']), vectors: z.array(z.string()) }).optional(),
});

const job = z.object({
  status: z.enum(finalJobStatuses),
  completed_at: z.iso.datetime({ offset: true }),
  credit_applied: z.boolean(),
  credits_remaining: z.number(),
  total_calls: count,
  failed_calls: count,
  total_tokens: count,
  total_cost_usd: z.string().regex(/^\d{1,40}(\.\d{1,100})?$/),
  total_latency_ms: z.number().nonnegative(),
  terms: z.object({ price_credits: z.number(), credits_charged: count, superseded_calls: count }).optional(),
  accepted: z.array(z.string()).optional(),
  made: z
    .record(z.string(), z.object({ metadata: z.record(z.string(), z.unknown()), updated_at: z.number() }))
    .optional(),
});

const CallResultSchema: z.ZodType<CallResult> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeded'),
    finishReason: z.string(),
    stopSequence: z.string().optional(),
    usage,
    uncounted: count.optional(),
    latencyMs: z.number().nonnegative(),
    message: message.optional(),
    hasToolCalls: z.boolean().optional(),
    job: job.optional(),
  }),
  z.object({
    status: z.literal('failed'),
    error: z.string(),
    failure: z.enum(callFailures).optional(),
    contextFigures: z
      .object({ prompt: count.optional(), answer: count.optional(), limit: count.optional() })
      .optional(),
    usage: usage.optional(),
    uncounted: count.optional(),
    message: message.optional(),
    job: job.optional(),
  }),
  z.object({ status: z.literal('refused'), error: z.string() }),
  z.object({ status: z.literal('retracted') }),
]);

/** Parses the known fields only; undefined for anything else. It uses a schema, because a call ends once. */
export const parseCallResult = (value: unknown): CallResult | undefined => CallResultSchema.safeParse(value).data;
