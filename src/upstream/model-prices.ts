import Big from 'big.js';
import { z } from 'zod';
import type { Price } from '../domain/pricing.ts';
import { inTime } from '../in-time.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from './client.ts';

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

const freshMs = 300_000;
/** How long an answered call waits for the first list: it is recorded without a price rather than late. */
const patienceMs = 2_000;

/** The prices that LiteLLM's `/model/info` tells, asked at most every five minutes; none when it has no such page. */
export function createModelPrices(client: UpstreamClient, masterKey: string, log: Log) {
  let prices = new Map<string, Price>();
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    try {
      const { data } = ModelInfo.parse(await client.getJson('/model/info', masterKey));
      prices = new Map(
        data.map(({ model_name, model_info }) => [
          model_name,
          {
            inputPerMillion: model_info?.input_cost_per_token ?? null,
            outputPerMillion: model_info?.output_cost_per_token ?? null,
          },
        ]),
      );
    } catch (error) {
      log.debug({ err: error }, 'the upstream tells no prices');
    } finally {
      asking = undefined;
    }
  };

  /** Undefined: the upstream has no price for it. An old list serves while a new one is asked for. */
  return async (model: string): Promise<Price | undefined> => {
    if (Date.now() - askedAt > freshMs) {
      askedAt = Date.now();
      asking = ask();
    }
    if (prices.size === 0 && asking) await inTime(asking, patienceMs).catch(() => undefined);
    return prices.get(model);
  };
}
