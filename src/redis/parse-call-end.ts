import { z } from 'zod';
import type { CallEnd } from '../domain/frames.ts';
import { jobEnds } from '../domain/job.ts';

const count = z.number().int().nonnegative();
const usage = z.object({ promptTokens: count, completionTokens: count, totalTokens: count });

const message = z.object({
  content: z.string(),
  toolCalls: z
    .array(
      z.object({
        id: z.string(),
        type: z.literal('function'),
        function: z.object({ name: z.string(), arguments: z.string() }),
      }),
    )
    .optional(),
});

const job = z.object({
  status: z.enum(jobEnds),
  completed_at: z.iso.datetime({ offset: true }),
  credit_applied: z.boolean(),
  credits_remaining: z.number(),
  total_calls: count,
  failed_calls: count,
  total_tokens: count,
  total_cost_usd: z.string().regex(/^\d{1,40}(\.\d{1,100})?$/),
  total_latency_ms: z.number().nonnegative(),
  accepted: z.array(z.string()).optional(),
  made: z
    .record(z.string(), z.object({ metadata: z.record(z.string(), z.unknown()), updated_at: z.number() }))
    .optional(),
});

const Shape: z.ZodType<CallEnd> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeded'),
    finishReason: z.string(),
    usage,
    uncounted: count.optional(),
    latencyMs: z.number().nonnegative(),
    message: message.optional(),
    job: job.optional(),
  }),
  z.object({
    status: z.literal('failed'),
    error: z.string(),
    usage: usage.optional(),
    uncounted: count.optional(),
    message: message.optional(),
    job: job.optional(),
  }),
  z.object({ status: z.literal('refused'), error: z.string() }),
  z.object({ status: z.literal('withdrawn') }),
]);

/** The end of a call that a message carries, with its known fields only; undefined for anything else. Once for each call. */
export const parseCallEnd = (value: unknown): CallEnd | undefined => Shape.safeParse(value).data;
