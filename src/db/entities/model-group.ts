import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

const now = () => new Date();

export const ModelGroup = defineEntity({
  name: 'ModelGroup',
  tableName: 'model_groups',
  properties: {
    model_group_id: p.uuid().primary(),
    group_name: p.text(),
    display_name: p.text().nullable(),
    description: p.text().nullable(),
    status: p.enum(['active', 'inactive'] as const).default('active'),
    created_at: p.datetime(3).onCreate(now),
    updated_at: p.datetime(3).onCreate(now).onUpdate(now),
    // Tried in this order: by priority, and among equals as they were given.
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
    input_price_per_million: p.decimal('string').nullable(),
    output_price_per_million: p.decimal('string').nullable(),
  },
});
export type ModelGroupMember = InferEntity<typeof ModelGroupMember>;
