import type { ModelGroupResponse } from '../../../../contracts/model-groups.ts';
import { priceOf } from '../../../../contracts/models.ts';
import type { ModelGroup } from '../../../../db/entities/model-group.ts';

/** For a group whose members are loaded. */
export const serializeModelGroup = (group: ModelGroup): ModelGroupResponse => ({
  model_group_id: group.model_group_id,
  group_name: group.group_name,
  display_name: group.display_name ?? null,
  description: group.description ?? null,
  status: group.status,
  extra_fields: group.extra_fields,
  blocked_fields: group.blocked_fields,
  max_output_tokens: group.max_output_tokens ?? null,
  models: group.members.getItems().map((member) => ({
    model_name: member.model_name,
    priority: member.priority,
    is_active: member.is_active,
    input_price_per_million: priceOf(member.input_price_per_million),
    output_price_per_million: priceOf(member.output_price_per_million),
  })),
  created_at: group.created_at.toISOString(),
  updated_at: group.updated_at.toISOString(),
});
