import Big from 'big.js';
import { z } from 'zod';
import type { Price } from '../domain/pricing.ts';
import type { UpstreamClient } from '../upstream/client.ts';

/** What LiteLLM lists of one deployment of a model. */
export interface ListedDeployment extends Price {
  model: string;
  /** The most tokens that it generates. Null: the list does not have it. */
  maxOutputTokens: number | null;
}

const perMillion = z
  .number()
  .nonnegative()
  .transform((perToken) => Big(perToken).times(1_000_000).toFixed())
  .nullish()
  .transform((price) => price ?? null)
  .catch(null);

const maxTokens = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .nullish()
  .transform((most) => most ?? null)
  .catch(null);

const ModelInfo = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      model_info: z
        .object({
          input_cost_per_token: perMillion,
          output_cost_per_token: perMillion,
          cache_read_input_token_cost: perMillion,
          cache_creation_input_token_cost: perMillion,
          max_output_tokens: maxTokens,
        })
        .nullish(),
    }),
  ),
});

/** The deployments of LiteLLM's `/model/info`. Several may share a name. */
export async function readModelInfo(client: UpstreamClient, masterKey: string): Promise<ListedDeployment[]> {
  const { data } = ModelInfo.parse(await client.getJson('/model/info', masterKey));
  return data.map(({ model_name, model_info }) => ({
    model: model_name,
    inputPerMillion: model_info?.input_cost_per_token ?? null,
    outputPerMillion: model_info?.output_cost_per_token ?? null,
    cachedInputPerMillion: model_info?.cache_read_input_token_cost ?? null,
    cacheWritePerMillion: model_info?.cache_creation_input_token_cost ?? null,
    maxOutputTokens: model_info?.max_output_tokens ?? null,
  }));
}
