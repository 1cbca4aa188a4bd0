import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Price } from '../domain/pricing.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { type ListedDeployment, readModelInfo } from './model-info.ts';

/** Each deployment has an entry, and several may share a name. An entry without a price does not replace one with a price. */
function toPrices(deployments: readonly ListedDeployment[]): Map<string, Price> {
  const prices = new Map<string, Price>();
  for (const { model, maxOutputTokens: _, ...price } of deployments) {
    const isPriced = price.inputPerMillion !== null || price.outputPerMillion !== null;
    if (isPriced || !prices.has(model)) prices.set(model, price);
  }
  return prices;
}

const refreshMs = 300_000;
/** The pause after a failure that may be temporary, and for a model that is not in the list: it may have been added since. */
const retryMs = 5_000;
/** How long an answered call waits for the list. After that it is recorded without a listed price. */
const waitTimeoutMs = 2_000;

/**
 * Returns the price of a model from LiteLLM's `/model/info`; undefined if the list does not have it. The list is requested every
 * five minutes, earlier for a model that is not in it. An upstream without such a page has no prices.
 */
export function createModelPrices(client: UpstreamClient, masterKey: string, log: Log, now: () => number = Date.now) {
  let prices = new Map<string, Price>();
  let refreshed: Promise<void> | undefined;
  /** The times at which the list is requested again: for a model that is in it, and for one that is not. */
  let dueAt = { listed: Number.NEGATIVE_INFINITY, missing: Number.NEGATIVE_INFINITY };
  const scheduleRefresh = (listedMs: number, missingMs: number) => {
    dueAt = { listed: now() + listedMs, missing: now() + missingMs };
  };

  const refresh = async (): Promise<void> => {
    // One request at a time.
    scheduleRefresh(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    try {
      prices = toPrices(await readModelInfo(client, masterKey));
      scheduleRefresh(refreshMs, retryMs);
    } catch (error) {
      log.debug({ err: error }, 'litellm: price list request failed');
      const isPermanent = error instanceof UpstreamError && !error.mayFallBack;
      const pauseMs = isPermanent ? refreshMs : retryMs;
      scheduleRefresh(pauseMs, pauseMs);
    }
  };

  /** A call for a listed model uses the old list while a new one is requested. */
  return async (model: string): Promise<Price | undefined> => {
    const isListed = prices.has(model);
    if (now() >= (isListed ? dueAt.listed : dueAt.missing))
      refreshed = withTimeout(refresh(), waitTimeoutMs).catch(() => undefined);
    if (!isListed) await refreshed;
    return prices.get(model);
  };
}
