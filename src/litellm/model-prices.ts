import Big from 'big.js';
import { z } from 'zod';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Price } from '../domain/pricing.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

const perMillion = z
  .number()
  .nonnegative()
  .transform((perToken) => Big(perToken).times(1_000_000).toFixed())
  .nullish()
  .transform((price) => price ?? null)
  .catch(null);

const ModelInfo = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      model_info: z.object({ input_cost_per_token: perMillion, output_cost_per_token: perMillion }).nullish(),
    }),
  ),
});

/** Each deployment is an entry, and several may share a name: one without a price does not hide one that has a price. */
function pricesOf(entries: z.output<typeof ModelInfo>['data']): Map<string, Price> {
  const prices = new Map<string, Price>();
  for (const { model_name, model_info } of entries) {
    const inputPerMillion = model_info?.input_cost_per_token ?? null;
    const outputPerMillion = model_info?.output_cost_per_token ?? null;
    const isPriced = inputPerMillion !== null || outputPerMillion !== null;
    if (isPriced || !prices.has(model_name)) prices.set(model_name, { inputPerMillion, outputPerMillion });
  }
  return prices;
}

const freshMs = 300_000;
/** After a failure that may pass, and for a model that is not in the list: the upstream may have got it since. */
const againMs = 5_000;
/** How long answered calls wait for a list: then they are recorded without a price rather than late. */
const patienceMs = 2_000;

/**
 * The prices of LiteLLM's `/model/info`, requested every five minutes while it has all models that are asked for; none if the
 * upstream has no such page.
 */
export function createModelPrices(client: UpstreamClient, masterKey: string, log: Log, now: () => number = Date.now) {
  let prices = new Map<string, Price>();
  let heard: Promise<void> | undefined;
  /** When the list is asked for again: for a model that is in it, and for another. */
  let dueAt = { listed: Number.NEGATIVE_INFINITY, missing: Number.NEGATIVE_INFINITY };
  const askIn = (listedMs: number, missingMs: number) => {
    dueAt = { listed: now() + listedMs, missing: now() + missingMs };
  };

  const ask = async (): Promise<void> => {
    // Not while it is under way.
    askIn(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    try {
      const { data } = ModelInfo.parse(await client.getJson('/model/info', masterKey));
      prices = pricesOf(data);
      askIn(freshMs, againMs);
    } catch (error) {
      log.debug({ err: error }, 'the upstream tells no prices');
      const isRefused = error instanceof UpstreamError && !error.mayFallBack;
      const pauseMs = isRefused ? freshMs : againMs;
      askIn(pauseMs, pauseMs);
    }
  };

  /** Undefined: the upstream has no price for it. An old list serves while a new one is asked for. */
  return async (model: string): Promise<Price | undefined> => {
    const isListed = prices.has(model);
    if (now() >= (isListed ? dueAt.listed : dueAt.missing))
      heard = withTimeout(ask(), patienceMs).catch(() => undefined);
    if (!isListed) await heard;
    return prices.get(model);
  };
}
