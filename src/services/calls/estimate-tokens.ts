import { cachedByKey } from '../../concurrency/cached-for.ts';
import { readTokenRatio } from '../../db/calls/read-token-ratio.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Media } from '../../domain/token-estimate.ts';
import { tokensByRatio } from '../../domain/token-estimate.ts';

/** The ratio changes slowly, and many requests at once need the same. */
const cachedMs = 1_000;

const cacheOf = new WeakMap<Database, ReturnType<typeof cachedByKey>>();

/**
 * The tokens of a prompt, by what the last calls of the model were counted by its upstream. Without PostgreSQL, and before there are
 * enough calls, by the usual length of a token. `bytes`: of the request as it goes upstream. `spec 28.14`
 */
export async function estimatePromptTokens(
  { database }: { database: Database },
  model: string,
  { bytes, media }: { bytes: number; media: Media },
): Promise<number> {
  const cached = cacheOf.get(database) ?? cachedByKey(cachedMs);
  cacheOf.set(database, cached);
  const ratio = await cached(model, () => readTokenRatio(database, model)).catch(() => undefined);
  return tokensByRatio(ratio, bytes, media);
}
