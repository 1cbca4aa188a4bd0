import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { described, priced, textArray } from './columns.ts';

export const ModelAlias = defineEntity({
  name: 'ModelAlias',
  tableName: 'model_aliases',
  properties: {
    model_alias_id: p.uuid().primary(),
    alias_name: p.text(),
    model_name: p.text(),
    fallbacks: textArray(),
    extra_fields: textArray().default([]),
    blocked_fields: textArray().default([]),
    max_output_tokens: p.integer().nullable(),
    embedding_fallbacks: p.boolean().default(false),
    ...described(),
    ...priced(),
    access_groups: () => p.manyToMany(ModelAccessGroup).mappedBy('aliases').orderBy({ group_name: 'asc' }),
  },
});
export type ModelAlias = InferEntity<typeof ModelAlias>;

/** A team and an alias share an access group so that the team may use the alias. `spec 7.5` */
export const ModelAccessGroup = defineEntity({
  name: 'ModelAccessGroup',
  tableName: 'model_access_groups',
  properties: {
    model_access_group_id: p.uuid().primary(),
    group_name: p.text(),
    ...described(),
    aliases: () =>
      p
        .manyToMany(ModelAlias)
        .pivotTable('model_access_group_aliases')
        .joinColumn('model_access_group_id')
        .inverseJoinColumn('model_alias_id')
        .orderBy({ alias_name: 'asc' }),
  },
});
export type ModelAccessGroup = InferEntity<typeof ModelAccessGroup>;
