import { z } from 'zod';
import { sentInteger } from '../../contracts/as-sent.ts';
import { CallerId, namedEnum } from '../../contracts/fields.ts';
import type { NamesInMetadata } from '../v1/call-metadata.ts';
import { userFields } from '../v1/user-fields.ts';
import { Input } from './embeddings-input.ts';

/** The body of a request for embeddings. `spec 30.1` */

export const EmbeddingsRequest = z
  .looseObject({
    model: CallerId.meta({
      description: 'Name of a model alias or of a model group that the team may use',
      example: 'embeddings-small',
    }),
    input: Input.describe(
      'A text, 1 to 2,048 texts, the tokens of one as integers, or 1 to 2,048 lists of tokens. None may be empty',
    ),
    dimensions: sentInteger.nullish().describe('How long the vectors are, where the model lets one choose'),
    encoding_format: namedEnum('EmbeddingEncoding', ['float', 'base64'])
      .nullish()
      .describe('`float`: numbers; `base64`: their bytes as little-endian float32. Default: `float`'),
    ...userFields,
    user: userFields.user.describe(
      'The user of the job that is made for the call, and of the task that it belongs to where the request names none. At most 255 ' +
        'characters. Never sent to the model',
    ),
  })
  .meta({ id: 'EmbeddingsRequest' });
export type EmbeddingsRequest = z.output<typeof EmbeddingsRequest> & { metadata?: NamesInMetadata | null };

/** All fields that have a meaning here. Any other is sent only if the model permits it. */
export const knownFields: ReadonlySet<string> = new Set(Object.keys(EmbeddingsRequest.shape));
