import type { z } from 'zod';
import type { ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import type { ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import type { ModelGroupResponse, ModelResolution } from '../../../contracts/model-groups.ts';
import { toPrice } from '../../../contracts/models.ts';
import type { AccessGroupWithTeams } from '../../../db/models/read-access-groups.ts';
import type { ModelAlias, ModelGroup } from '../../../services/models/read-models.ts';
import type { ModelResolution as Resolution } from '../../../services/models/resolve-model.ts';

interface Described {
  display_name?: string | null;
  description?: string | null;
  status: 'active' | 'inactive';
  created_at: Date;
  updated_at: Date;
}

interface Sent {
  extra_fields: string[];
  blocked_fields: string[];
  max_output_tokens?: number | null;
  embedding_fallbacks: boolean;
}

interface Priced {
  input_price_per_million?: string | null;
  output_price_per_million?: string | null;
  cached_input_price_per_million?: string | null;
  cache_write_price_per_million?: string | null;
}

const serializeDescription = (entry: Described) => ({
  display_name: entry.display_name ?? null,
  description: entry.description ?? null,
  status: entry.status,
  created_at: entry.created_at.toISOString(),
  updated_at: entry.updated_at.toISOString(),
});

const serializeSentFields = (entry: Sent) => ({
  extra_fields: entry.extra_fields,
  blocked_fields: entry.blocked_fields,
  max_output_tokens: entry.max_output_tokens ?? null,
  embedding_fallbacks: entry.embedding_fallbacks,
});

const serializePrices = (entry: Priced) => ({
  input_price_per_million: toPrice(entry.input_price_per_million),
  output_price_per_million: toPrice(entry.output_price_per_million),
  cached_input_price_per_million: toPrice(entry.cached_input_price_per_million),
  cache_write_price_per_million: toPrice(entry.cache_write_price_per_million),
});

/** Serializes a group whose members are loaded. */
export const serializeModelGroup = (group: ModelGroup): ModelGroupResponse => ({
  model_group_id: group.model_group_id,
  group_name: group.group_name,
  ...serializeDescription(group),
  ...serializeSentFields(group),
  models: group.members.getItems().map((member) => ({
    model_name: member.model_name,
    priority: member.priority,
    is_active: member.is_active,
    ...serializePrices(member),
  })),
});

/** Serializes an alias whose access groups are loaded. */
export const serializeModelAlias = (alias: ModelAlias): ModelAliasResponse => ({
  model_alias_id: alias.model_alias_id,
  alias_name: alias.alias_name,
  model_name: alias.model_name,
  ...serializeDescription(alias),
  fallbacks: alias.fallbacks,
  ...serializeSentFields(alias),
  ...serializePrices(alias),
  access_groups: alias.access_groups
    .getItems()
    .map((group) => group.group_name)
    .sort(),
});

export const serializeAccessGroup = ({ group, teams }: AccessGroupWithTeams): ModelAccessGroupResponse => ({
  model_access_group_id: group.model_access_group_id,
  group_name: group.group_name,
  ...serializeDescription(group),
  model_aliases: group.aliases
    .getItems()
    .map((alias) => alias.alias_name)
    .sort(),
  teams,
});

export const serializeResolution = (
  { reason, via, accessGroups, candidates }: Resolution,
  { group_name, team_id }: { group_name: string; team_id: string },
): z.input<typeof ModelResolution> => ({
  group_name,
  team_id,
  allowed: reason === null,
  reason,
  via,
  access_groups: accessGroups,
  members: candidates.map(({ model, ...price }, position) => ({
    model,
    position,
    ...serializePrices({
      input_price_per_million: price.inputPerMillion,
      output_price_per_million: price.outputPerMillion,
      cached_input_price_per_million: price.cachedInputPerMillion ?? null,
      cache_write_price_per_million: price.cacheWritePerMillion ?? null,
    }),
  })),
  would_request: candidates[0]?.model ?? null,
});
