import Big from 'big.js';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { type ListedModel, storeListedModels } from '../db/models/store-listed-models.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { type ListedDeployment, readModelInfo } from './model-info.ts';

const refreshMs = 300_000;
const retryMs = 5_000;
/** How long the request of a client waits for the list. */
const waitTimeoutMs = 2_000;

type Price = string | null | undefined;
const dearer = (a: Price, b: Price): string | null => (a && b ? (Big(a).gt(b) ? a : b) : (a ?? b ?? null));
const lesser = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

/** One entry for each name: of its deployments the dearest price of each kind, and the least answer. */
function toListedModels(deployments: readonly ListedDeployment[]): ListedModel[] {
  const models = new Map<string, ListedModel>();
  for (const { model, maxOutputTokens, ...price } of deployments) {
    const known = models.get(model);
    models.set(model, {
      model,
      input_price_per_million: dearer(known?.input_price_per_million, price.inputPerMillion),
      output_price_per_million: dearer(known?.output_price_per_million, price.outputPerMillion),
      cached_input_price_per_million: dearer(known?.cached_input_price_per_million, price.cachedInputPerMillion),
      cache_write_price_per_million: dearer(known?.cache_write_price_per_million, price.cacheWritePerMillion),
      max_output_tokens: lesser(known?.max_output_tokens ?? null, maxOutputTokens),
    });
  }
  return [...models.values()];
}

/** Reads the list of models into the database: every five minutes while calls need it, and earlier for a model that is not in it. */
export function createModelList(
  database: Database,
  client: UpstreamClient,
  masterKey: string,
  log: Log,
  now: () => number = Date.now,
) {
  let reading: Promise<void> | undefined;
  /** The times from which the list is read again: as it is old, and for a model that it does not have. */
  let dueAt = { old: Number.NEGATIVE_INFINITY, missing: Number.NEGATIVE_INFINITY };

  async function readOnce(): Promise<void> {
    try {
      await storeListedModels(database, toListedModels(await readModelInfo(client, masterKey)));
      dueAt = { old: now() + refreshMs, missing: now() + retryMs };
    } catch (error) {
      log.debug({ err: error }, 'litellm: list of models not read');
      // An upstream without such a page has none in five seconds either.
      const isPermanent = error instanceof UpstreamError && !error.mayFallBack;
      const at = now() + (isPermanent ? refreshMs : retryMs);
      dueAt = { old: at, missing: at };
    }
  }

  const read = (): Promise<void> => {
    reading ??= readOnce().finally(() => {
      reading = undefined;
    });
    return withTimeout(reading, waitTimeoutMs).catch(() => undefined);
  };

  return {
    mayRead: () => now() >= dueAt.missing,
    read,
    refresh: (): void => {
      if (now() >= dueAt.old) void read();
    },
  };
}
