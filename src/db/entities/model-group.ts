import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { described, priced, textArray } from './columns.ts';

export const ModelGroup = defineEntity({
  name: 'ModelGroup',
  tableName: 'model_groups',
  properties: {
    model_group_id: p.uuid().primary(),
    group_name: p.text(),
    extra_fields: textArray().default([]),
    blocked_fields: textArray().default([]),
    max_output_tokens: p.integer().nullable(),
    embedding_fallbacks: p.boolean().default(false),
    ...described(),
    // The members are in the order in which they are tried: by priority, and among equals as they were given.
    members: () => p.oneToMany(ModelGroupMember).mappedBy('model_group').orderBy({ priority: 'asc', position: 'asc' }),
  },
});
export type ModelGroup = InferEntity<typeof ModelGroup>;

export const ModelGroupMember = defineEntity({
  name: 'ModelGroupMember',
  tableName: 'model_group_members',
  properties: {
    model_group: () => p.manyToOne(ModelGroup).joinColumn('model_group_id').primary(),
    model_name: p.text().primary(),
    priority: p.integer(),
    position: p.integer(),
    is_active: p.boolean().default(true),
    ...priced(),
  },
});
export type ModelGroupMember = InferEntity<typeof ModelGroupMember>;
