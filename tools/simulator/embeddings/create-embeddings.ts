import { z } from 'zod';
import { applyFault } from '../behaviour/apply-fault.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { pythonFloat, setHeaders, unknownModel } from '../chat/complete-chat.ts';
import { countTokens, digest } from '../chat/text.ts';
import { providerError } from '../errors.ts';
import { type Exchange, pause } from '../exchange.ts';
import { costUsd } from '../models.ts';

const tokens = z.array(z.int()).min(1);

/** Loose, like LiteLLM, which forwards unknown fields. */
const EmbeddingsRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1), tokens, z.array(tokens).min(1)]),
  dimensions: z.int().min(1).max(4_096).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

type Input = string | number[];

const usualDimensions = 8;

/** The same vector for the same text and model, in every process. Its numbers have eight decimals, which float32 cannot all hold. */
function vectorOf(model: string, input: Input, dimensions: number): number[] {
  let state = digest(JSON.stringify([model, input])).readUInt32LE(0);
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Number((state / 2 ** 31 - 1).toFixed(8));
  });
}

const toBase64 = (vector: number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64');

interface Vector {
  object: string;
  index?: number;
  embedding: unknown;
}

/** What is wrong with the vectors, by the behaviour of the model. */
const broken: Record<Behaviour['vectors'], (data: Vector[]) => Vector[]> = {
  right: (data) => data,
  missing: (data) => data.slice(1),
  extra: (data) => [...data, { ...data[0]!, index: data.length }],
  uneven: (data) => data.map((one, index) => (index === 0 ? one : { ...one, embedding: [0.5] })),
  null: (data) => data.map((one) => ({ ...one, embedding: [0.5, null] })),
  empty: (data) => data.map((one) => ({ ...one, embedding: [] })),
  unindexed: (data) => data.map(({ index: _, ...one }) => one),
  'same-index': (data) => data.map((one) => ({ ...one, index: 0 })),
  reversed: (data) => data.toReversed(),
};

/** POST /embeddings: vectors with the behaviour of the model's name or of a script. */
export async function createEmbeddings(exchange: Exchange): Promise<unknown> {
  const { body } = exchange.request;
  const { data: request, error } = EmbeddingsRequest.safeParse(body);
  if (!request)
    throw providerError(400, String(body?.model), { message: `Invalid '${String(error.issues[0]?.path[0])}'` });
  const { model, input, encoding_format } = request;
  const behaviour = exchange.simulation.scripts.next(model);
  if (!behaviour) throw unknownModel(model, '/embeddings');
  await pause(exchange, behaviour.latencyMs);
  const replaced = await applyFault(exchange, behaviour, model);
  if (replaced) return replaced;

  const inputs: Input[] =
    typeof input === 'string' || typeof input[0] === 'number' ? [input as Input] : (input as Input[]);
  const count = inputs.reduce((sum, one) => sum + (typeof one === 'string' ? countTokens(one) : one.length), 0);
  const prompt_tokens = behaviour.promptTokens ?? count;
  setHeaders(exchange, model, behaviour);
  const cost = behaviour.costUsd ?? costUsd(model, prompt_tokens, 0);
  exchange.simulation.registry.spend(exchange.entry.key, cost);
  if (behaviour.cost === 'usual') exchange.response.set('x-litellm-response-cost', pythonFloat(cost));
  const isBase64 = behaviour.encodes === 'requested' ? encoding_format === 'base64' : behaviour.encodes === 'base64';
  const data = inputs.map((one, index): Vector => {
    const vector = vectorOf(model, one, request.dimensions ?? usualDimensions);
    return { object: 'embedding', index, embedding: isBase64 ? toBase64(vector) : vector };
  });
  return {
    object: 'list',
    model: behaviour.reports ?? model,
    data: broken[behaviour.vectors](data),
    ...(behaviour.usage !== 'none' && { usage: { prompt_tokens, total_tokens: prompt_tokens } }),
  };
}
