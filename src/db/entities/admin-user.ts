import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { adminRoles, signInWays } from '../../domain/admin-roles.ts';
import { createdAt } from './columns.ts';

export const AdminUser = defineEntity({
  name: 'AdminUser',
  tableName: 'admin_users',
  properties: {
    user_id: p.uuid().primary(),
    // The database compares it byte for byte: e-mails that differ in case are two users.
    email: p.text(),
    display_name: p.text(),
    role: p.enum(adminRoles),
    signs_in_by: p.enum(signInWays).default('password'),
    /** Null: the user signs in by OpenID Connect. */
    password_hash: p.text().hidden().nullable(),
    is_active: p.boolean().default(true),
    metadata: p.json<Record<string, unknown>>().onCreate(() => ({})),
    created_at: createdAt(),
    last_login: p.datetime(3).nullable(),
    /** Since when a login needs a code; null: it needs none. */
    second_factor_at: p.datetime(3).nullable(),
  },
});
export type AdminUser = InferEntity<typeof AdminUser>;
