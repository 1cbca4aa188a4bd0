import { createHash } from 'node:crypto';
import { type Embeddings, type ForgottenEmbeddings, toFloat32 } from '../../src/domain/embeddings.ts';

/** What is kept of vectors. */
export function describeVectors({ type, vectors }: Embeddings): ForgottenEmbeddings {
  const hash = createHash('sha256');
  let dimensions = 0;
  for (const vector of vectors) {
    const numbers = toFloat32(type, vector);
    dimensions = numbers.length;
    hash.update(numbers);
  }
  return { vectors: vectors.length, dimensions, sha256: hash.digest('hex') };
}
