import type { AdminUserResponse } from '../../../../contracts/admin-users.ts';
import type { AdminUser } from '../../../../db/entities/admin-user.ts';

export const serializeAdminUser = (user: Omit<AdminUser, 'password_hash'>): AdminUserResponse => ({
  user_id: user.user_id,
  email: user.email,
  display_name: user.display_name,
  role: user.role,
  is_active: user.is_active,
  created_at: user.created_at.toISOString(),
  last_login: user.last_login?.toISOString() ?? null,
  metadata: user.metadata,
});
