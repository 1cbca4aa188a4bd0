import type { ModelAliasResponse } from '../../../../contracts/model-aliases.ts';
import { priceOf } from '../../../../contracts/models.ts';
import type { ModelAlias } from '../../../../db/entities/model-access.ts';

/** For an alias whose access groups are loaded. */
export const serializeModelAlias = (alias: ModelAlias): ModelAliasResponse => ({
  model_alias_id: alias.model_alias_id,
  alias_name: alias.alias_name,
  model_name: alias.model_name,
  display_name: alias.display_name ?? null,
  description: alias.description ?? null,
  status: alias.status,
  fallbacks: alias.fallbacks,
  extra_fields: alias.extra_fields,
  blocked_fields: alias.blocked_fields,
  max_output_tokens: alias.max_output_tokens ?? null,
  input_price_per_million: priceOf(alias.input_price_per_million),
  output_price_per_million: priceOf(alias.output_price_per_million),
  access_groups: alias.access_groups
    .getItems()
    .map((group) => group.group_name)
    .sort(),
  created_at: alias.created_at.toISOString(),
  updated_at: alias.updated_at.toISOString(),
});
