import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { SucceededResult } from '../../domain/call-result.ts';
import { type Embeddings, numbersOf, toBase64, toFloat32 } from '../../domain/embeddings.ts';
import { JsonText } from '../reply.ts';

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
            embedding: z
              .union([z.array(z.number()), z.string()])
              .describe('The vector: numbers, or the base64 of their bytes as little-endian float32'),
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

type Format = 'float' | 'base64';

/** A vector as JSON in the form that the client asked for, from the one in which it is recorded. */
function writeVector(type: Embeddings['type'], vector: string, format: Format): string {
  if (format === 'float') return JSON.stringify(Array.from(numbersOf(type, vector)));
  return `"${type === 'float32' ? vector : toBase64(toFloat32(type, vector))}"`;
}

/** So much is written at once: in some milliseconds. */
const charactersAtOnce = 262_144;

async function writeData({ type, vectors }: Embeddings, format: Format): Promise<string> {
  const items: string[] = [];
  let written = 0;
  for (const [index, vector] of vectors.entries()) {
    const item = `{"object":"embedding","index":${index},"embedding":${writeVector(type, vector, format)}}`;
    items.push(item);
    written += item.length;
    if (written < charactersAtOnce) continue;
    written = 0;
    await setImmediate();
  }
  return items.join(',');
}

/** The answer of a call in the form of OpenAI. Throws where its vectors are no longer stored. `spec 30.3` */
export async function writeEmbeddings(
  model: string,
  { message, usage }: Pick<SucceededResult, 'message' | 'usage'>,
  format: Format,
): Promise<JsonText> {
  if (!message?.embeddings) throw new Error('the vectors of the call are no longer stored');
  const data = await writeData(message.embeddings, format);
  const ending = JSON.stringify({ usage: { prompt_tokens: usage.promptTokens, total_tokens: usage.totalTokens } });
  return new JsonText(`{"object":"list","model":${JSON.stringify(model)},"data":[${data}],${ending.slice(1)}`);
}
