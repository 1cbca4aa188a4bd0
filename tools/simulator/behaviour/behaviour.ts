import { z } from 'zod';
import { refusals } from '../refused-requests.ts';

const count = z.int().min(0).max(1_000_000);
const milliseconds = z.int().min(0).max(3_600_000);

/** A fault. `after` is the number of content chunks that a stream sends before it. */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), retryAfterSeconds: count.optional() }),
  z.strictObject({ kind: z.literal('refused'), refusal: z.enum(refusals), status: z.int().min(400).max(499) }),
  z.strictObject({ kind: z.literal('error-body') }),
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
  'text-and-tools',
  'two-tools',
  'function-call',
  'refusal',
  'null',
  'empty',
  'huge',
  'null-bytes',
  'lone-surrogate',
  'unicode',
]);
export type Reply = z.infer<typeof Reply>;

/** How the simulator answers one request. Every field has a default, so that a script has only the fields that differ. */
export const Behaviour = z.strictObject({
  /** The time before the first byte. */
  latencyMs: milliseconds,
  /** The time between two content chunks of a stream. */
  everyMs: milliseconds,
  reply: Reply,
  /** The length of the answer before max_tokens cuts it. */
  completionTokens: count.optional(),
  promptTokens: count.optional(),
  /** The text of `huge`; 1 where absent. */
  mebibytes: z.int().min(1).max(48).optional(),
  /** null: the answer has none. Absent: the one that fits the answer (stop, length, tool_calls). */
  finishReason: z.string().nullable().optional(),
  /** The choice has the stop string at which the answer ended, as vLLM's. */
  namesStop: z.boolean(),
  usage: z.enum(['exact', 'none', 'wrong']),
  /** The cost of an answer. Absent: it comes from the price of the model. */
  costUsd: z.number().min(0).optional(),
  /** `new`: `input_tokens` and `output_tokens` alone; `beside-zeros`: these, and zeros under the usual names. */
  usageNames: z.enum(['usual', 'new', 'beside-zeros']),
  /**
   * usual: a header on a whole answer, `usage.cost` on a stream. usage: `usage.cost` on both, no header. zero-header: `usage.cost` on
   * both, and a header with 0 on a stream. zero-header-alone: nothing but that header.
   */
  cost: z.enum(['usual', 'usage', 'none', 'zero-header', 'zero-header-alone']),
  /** false: a stream ends without `[DONE]`. */
  done: z.boolean(),
  /** How the events of a stream are written. */
  framing: z.enum(['plain', 'split', 'crlf', 'comments', 'data-comments']),
  /** The form of the answer: that of the request, JSON, or events with or without their content type. */
  form: z.enum(['requested', 'json', 'events', 'events-typed-json']),
  /** How much of the blank line after the last event of a stream is sent. */
  ending: z.enum(['complete', 'one-newline', 'no-newline']),
  /** The messages of a stream: deltas; one message with the whole text; messages that grow; those beside the deltas. */
  messages: z.enum(['deltas', 'whole', 'growing', 'beside']),
  /** `split`: text in the first choice, tool calls in the second; `split-reversed`: the other way round. */
  choices: z.enum(['one', 'split', 'split-reversed']),
  /** `first`: the finish reason of a stream is in its first chunk. */
  finishAt: z.enum(['end', 'first']),
  /** The content encoding, whatever the request accepts. */
  encoding: z.enum(['identity', 'gzip', 'br', 'deflate', 'zstd']),
  /** The field of the reasoning that precedes an answer. */
  reasoning: z.enum(['none', 'reasoning_content', 'reasoning']),
  /** The length of that reasoning; six words where absent. */
  reasoningTokens: count.optional(),
  /** The pieces of tool calls. `late`: with the last piece; `repeated`: id and name in every piece; `zero-index`: all have the index 0. */
  toolPieces: z.enum(['usual', 'no-ids', 'late-ids', 'repeated', 'zero-index', 'long-ids']),
  /** The tool that is called, with its arguments, whatever the request says. null: none is. */
  calls: z
    .strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })
    .nullable()
    .optional(),
  /** The arguments of tool calls are empty. */
  noArguments: z.boolean(),
  /** A source for a part of the text. */
  annotated: z.boolean(),
  cachedTokens: count.optional(),
  /** Tokens of the prompt that were written to the cache. */
  writtenTokens: count.optional(),
  /** The form of vectors, whatever is requested. */
  encodes: z.enum(['requested', 'numbers', 'base64']),
  /** What is wrong with vectors, or unusual. */
  vectors: z.enum(['right', 'missing', 'extra', 'uneven', 'null', 'empty', 'unindexed', 'same-index', 'reversed']),
  /** Headers and fields by which the server shows which model, provider and account answer. */
  leaks: z.boolean(),
  /** `large`: one header of 20,000 bytes; `many`: 300 headers. */
  headers: z.enum(['usual', 'large', 'many']),
  /** The model name in the answer. Absent: the requested one. */
  reports: z.string().optional(),
  /** The answer has so many choices in one event, chunks with an annotation, or tool calls, instead of its usual parts. */
  many: z.strictObject({ what: z.enum(['choices', 'annotations', 'tool-calls']), count }).optional(),
  /** Refuses what a strict server does not take: a later system message, unknown fields, a call without its result. */
  strict: z.boolean(),
  fault: Fault.optional(),
});
export type Behaviour = z.infer<typeof Behaviour>;

/** A behaviour for so many requests; the next phase follows. */
export type Phase = { times: number; behaviour: Partial<Behaviour> };

export const plainBehaviour: Behaviour = {
  latencyMs: 0,
  everyMs: 0,
  reply: 'text',
  namesStop: false,
  usage: 'exact',
  usageNames: 'usual',
  cost: 'usual',
  done: true,
  framing: 'plain',
  form: 'requested',
  ending: 'complete',
  messages: 'deltas',
  choices: 'one',
  finishAt: 'end',
  reasoning: 'none',
  toolPieces: 'usual',
  noArguments: false,
  annotated: false,
  encodes: 'requested',
  vectors: 'right',
  leaks: false,
  encoding: 'identity',
  headers: 'usual',
  strict: false,
};
