import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt } from './columns.ts';

/** A key is stored as a digest to find it by and a sealed copy to show it with. The current key of a team has no end. */
export const VirtualKey = defineEntity({
  name: 'VirtualKey',
  tableName: 'virtual_keys',
  properties: {
    key_hash: p.blob().primary(),
    team_id: p.text(),
    key_sealed: p.blob(),
    created_at: createdAt(),
    expires_at: p.datetime(3).nullable(),
  },
});
export type VirtualKey = InferEntity<typeof VirtualKey>;
