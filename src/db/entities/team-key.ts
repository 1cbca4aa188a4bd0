import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { limitResets } from '../../domain/key-limit.ts';
import { createdAt } from './columns.ts';

/** A further key of a team. It is stored as `VirtualKey` is. */
export const TeamKey = defineEntity({
  name: 'TeamKey',
  tableName: 'team_keys',
  properties: {
    key_id: p.uuid().primary(),
    team_id: p.text(),
    name: p.text(),
    key_hash: p.blob(),
    key_sealed: p.blob(),
    /** The key as lists show it. */
    key_hint: p.text(),
    expires_at: p.datetime(3).nullable(),
    credit_limit: p.integer().nullable(),
    limit_reset: p.enum(limitResets).nullable(),
    created_at: createdAt(),
  },
});
export type TeamKey = InferEntity<typeof TeamKey>;
