import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** At rest: a digest to find the key by and a sealed copy to show it with. The current key of a team has no end. */
export const VirtualKey = defineEntity({
  name: 'VirtualKey',
  tableName: 'virtual_keys',
  properties: {
    key_hash: p.blob().primary(),
    team_id: p.text(),
    key_sealed: p.blob(),
    created_at: p.datetime(3).onCreate(() => new Date()),
    expires_at: p.datetime(3).nullable(),
  },
});
export type VirtualKey = InferEntity<typeof VirtualKey>;
