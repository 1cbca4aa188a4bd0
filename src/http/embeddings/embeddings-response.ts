import { z } from 'zod';
import { document } from '../../contracts/fields.ts';
import type { SucceededResult } from '../../domain/call-result.ts';
import { type Embeddings, numbersOf, toBase64, toFloat32 } from '../../domain/embeddings.ts';

/** Made here from what was checked when it came: to check each number again would take longer than to write it. */
const Vector = z.custom<number[] | string>();
document(Vector, z.union([z.array(z.number()), z.string()]));

export const EmbeddingsResponse = z
  .object({
    object: z.literal('list').describe('Always `list`'),
    model: z.string().describe('The model alias or model group that the request named'),
    data: z
      .array(
        z
          .object({
            object: z.literal('embedding').describe('Always `embedding`'),
            index: z.int().describe('The position of its input in the request'),
            embedding: Vector.describe('The vector: numbers, or the base64 of their bytes as little-endian float32'),
          })
          .meta({ id: 'Embedding' }),
      )
      .describe('A vector for each input, in their order'),
    usage: z
      .object({
        prompt_tokens: z
          .int()
          .describe('Tokens of all inputs, as the upstream reported them; 0 where it reported none'),
        total_tokens: z.int().describe('The same'),
      })
      .meta({ id: 'EmbeddingsUsage' })
      .describe('Tokens of the call'),
  })
  .meta({ id: 'EmbeddingsResponse' });
export type EmbeddingsResponse = z.input<typeof EmbeddingsResponse>;

/** A vector in the form that the client asked for, from the one in which it is recorded. */
function serializeVector({ type }: Embeddings, vector: string, format: 'float' | 'base64'): number[] | string {
  if (format === 'float') return Array.from(numbersOf(type, vector));
  return type === 'float32' ? vector : toBase64(toFloat32(type, vector));
}

/** The answer of a call in the form of OpenAI. Throws where its vectors are no longer stored. `spec 30.3` */
export function serializeEmbeddings(
  model: string,
  { message, usage }: Pick<SucceededResult, 'message' | 'usage'>,
  format: 'float' | 'base64' = 'float',
): EmbeddingsResponse {
  const embeddings = message?.embeddings;
  if (!embeddings) throw new Error('the vectors of the call are no longer stored');
  return {
    object: 'list',
    model,
    data: embeddings.vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: serializeVector(embeddings, vector, format),
    })),
    usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.totalTokens },
  };
}
