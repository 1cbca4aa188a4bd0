import { z } from 'zod';

const count = z.int().min(0).max(1_000_000);
const milliseconds = z.int().min(0).max(3_600_000);

/** One way of going wrong. `after` counts the content chunks that a stream sends before it happens. */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), retryAfterSeconds: count.optional() }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('hang') }),
  z.strictObject({ kind: z.literal('wrong-type') }),
  z.strictObject({ kind: z.literal('redirect') }),
  z.strictObject({ kind: z.literal('stall'), after: count }),
  z.strictObject({ kind: z.literal('cut'), after: count }),
  z.strictObject({ kind: z.literal('half-json'), after: count }),
  z.strictObject({ kind: z.literal('error-in-stream'), after: count }),
]);
export type Fault = z.infer<typeof Fault>;

export const Reply = z.enum([
  'text',
  'echo',
  'json',
  'tools',
  'null',
  'empty',
  'huge',
  'null-bytes',
  'lone-surrogate',
  'unicode',
]);
export type Reply = z.infer<typeof Reply>;

/** How the simulator treats one request. Every field has a default, so a script names only what it is about. */
export const Behaviour = z.strictObject({
  /** Before the first byte. */
  latencyMs: milliseconds,
  /** Between two content chunks of a stream. */
  everyMs: milliseconds,
  reply: Reply,
  /** How long the answer would be; max_tokens cuts it as it cuts any answer. */
  completionTokens: count.optional(),
  promptTokens: count.optional(),
  /** The text of `huge`; 1 where absent. */
  mebibytes: z.int().min(1).max(48).optional(),
  /** null: never said. Absent: what the answer gives (stop, length, tool_calls). */
  finishReason: z.string().nullable().optional(),
  usage: z.enum(['exact', 'none', 'wrong']),
  /** Absent: from the price of the model. */
  costUsd: z.number().min(0).optional(),
  /** usual: a header on a whole answer, `usage.cost` on a stream. usage: `usage.cost` on both, no header. */
  cost: z.enum(['usual', 'usage', 'none']),
  /** false: a stream ends without `[DONE]`. */
  done: z.boolean(),
  /** How the bytes of a stream are laid on the wire. */
  framing: z.enum(['plain', 'split', 'crlf', 'comments']),
  /** The model name that the answer reports. Absent: the one asked for. */
  reports: z.string().optional(),
  fault: Fault.optional(),
});
export type Behaviour = z.infer<typeof Behaviour>;

/** A behaviour that holds for so many requests, then makes way for the next phase. */
export type Phase = { times: number; behaviour: Partial<Behaviour> };

export const plainBehaviour: Behaviour = {
  latencyMs: 0,
  everyMs: 0,
  reply: 'text',
  usage: 'exact',
  cost: 'usual',
  done: true,
  framing: 'plain',
};
