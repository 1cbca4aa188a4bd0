import { createHash } from 'node:crypto';
import { isEmptyMessage, type Message } from '../../src/domain/chat-message.ts';
import { type Embeddings, type ForgottenEmbeddings, toFloat32 } from '../../src/domain/embeddings.ts';

function described({ type, vectors }: Embeddings): ForgottenEmbeddings {
  const hash = createHash('sha256');
  let dimensions = 0;
  for (const vector of vectors) {
    const numbers = toFloat32(type, vector);
    dimensions = numbers.length;
    hash.update(numbers);
  }
  return { vectors: vectors.length, dimensions, sha256: hash.digest('hex') };
}

/**
 * The message as it is recorded; null when it is empty. Of vectors what is kept for ever comes first, so that maintenance cuts the rest
 * off: `forget-vectors.ts`.
 */
export function storedAnswer(message: Message): string | null {
  if (isEmptyMessage(message)) return null;
  const { embeddings } = message;
  return JSON.stringify(embeddings ? { ...described(embeddings), ...message } : message);
}
