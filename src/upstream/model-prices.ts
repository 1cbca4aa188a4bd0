import Big from 'big.js';
import { z } from 'zod';
import type { Price } from '../domain/pricing.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from './client.ts';
import { UpstreamError } from './upstream-error.ts';

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
/** After a failure that may pass. Until there is a list, calls are recorded without a price. */
const againMs = 5_000;
/** How long answered calls wait for the first list: then they are recorded without a price rather than late. */
const patienceMs = 2_000;

/** The prices of LiteLLM's `/model/info`, requested every five minutes at most while it answers; none if the upstream has no such page. */
export function createModelPrices(client: UpstreamClient, masterKey: string, log: Log, now: () => number = Date.now) {
  let prices = new Map<string, Price>();
  let heard: Promise<void> | undefined;
  let askAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    askAt = Number.POSITIVE_INFINITY;
    try {
      const { data } = ModelInfo.parse(await client.getJson('/model/info', masterKey));
      prices = pricesOf(data);
      askAt = now() + freshMs;
    } catch (error) {
      log.debug({ err: error }, 'the upstream tells no prices');
      const isRefused = error instanceof UpstreamError && !error.mayFallBack;
      askAt = now() + (isRefused ? freshMs : againMs);
    }
  };

  /** Undefined: the upstream has no price for it. An old list serves while a new one is asked for. */
  return async (model: string): Promise<Price | undefined> => {
    if (now() >= askAt) heard = inTime(ask(), patienceMs).catch(() => undefined);
    if (prices.size === 0) await heard;
    return prices.get(model);
  };
}
