import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { adminRoles } from '../../domain/admin-roles.ts';

/** An invitation that was neither accepted nor withdrawn. Its secret is not kept, only a digest to find it by. */
export const AdminInvitation = defineEntity({
  name: 'AdminInvitation',
  tableName: 'admin_invitations',
  properties: {
    invitation_id: p.uuid().primary(),
    email: p.text(),
    role: p.enum(adminRoles),
    invited_by: p.uuid(),
    token_hash: p.blob(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
  },
});
export type AdminInvitation = InferEntity<typeof AdminInvitation>;
