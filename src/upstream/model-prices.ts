import Big from 'big.js';
import { z } from 'zod';
import type { Price } from '../domain/pricing.ts';
import type { Log } from '../log.ts';
import type { UpstreamClient } from './client.ts';

const ModelInfo = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      model_info: z
        .object({ input_cost_per_token: z.number().nullish(), output_cost_per_token: z.number().nullish() })
        .nullish(),
    }),
  ),
});

const freshMs = 300_000;
const perMillion = (perToken: number | null | undefined): string | null =>
  perToken === null || perToken === undefined ? null : Big(perToken).times(1_000_000).toFixed();

/** The prices that LiteLLM's `/model/info` tells, asked at most every five minutes; none when it has no such page. */
export function createModelPrices(client: UpstreamClient, masterKey: string, log: Log) {
  let known: Promise<Map<string, Price>> = Promise.resolve(new Map());
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<Map<string, Price>> => {
    try {
      const { data } = ModelInfo.parse(await client.getJson('/model/info', masterKey));
      return new Map(
        data.map(({ model_name, model_info }) => [
          model_name,
          {
            inputPerMillion: perMillion(model_info?.input_cost_per_token),
            outputPerMillion: perMillion(model_info?.output_cost_per_token),
          },
        ]),
      );
    } catch (error) {
      log.debug({ err: error }, 'the upstream tells no prices');
      return new Map();
    }
  };

  return async (model: string): Promise<Price | undefined> => {
    if (Date.now() - askedAt > freshMs) {
      askedAt = Date.now();
      known = ask();
    }
    return (await known).get(model);
  };
}
