import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sessionKinds } from '../../domain/session-kind.ts';
import { createdAt } from './columns.ts';

/** One for each login. The token itself is not kept, only a digest to find the session by. */
export const AdminSession = defineEntity({
  name: 'AdminSession',
  tableName: 'admin_sessions',
  properties: {
    session_id: p.uuid().primary(),
    user_id: p.uuid(),
    kind: p.enum(sessionKinds).nullable(),
    token_hash: p.blob(),
    expires_at: p.datetime(3),
    ip_address: p.text().nullable(),
    user_agent: p.text().nullable(),
    is_revoked: p.boolean().default(false),
    created_at: createdAt(),
  },
});
export type AdminSession = InferEntity<typeof AdminSession>;
