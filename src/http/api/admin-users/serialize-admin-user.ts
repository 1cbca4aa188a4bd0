import type { AdminUserResponse, AuditEntryResponse, SessionResponse } from '../../../contracts/admin-users.ts';
import type { AdminUserRow } from '../../../db/admin-users/list-admin-users.ts';
import type { AuditRow } from '../../../db/audit/list-audit-entries.ts';
import type { OpenedSession } from '../../../services/sessions/open-session.ts';

export const serializeAdminUser = (user: AdminUserRow): AdminUserResponse => ({
  user_id: user.user_id,
  email: user.email,
  display_name: user.display_name,
  role: user.role,
  is_active: user.is_active,
  created_at: user.created_at.toISOString(),
  last_login: user.last_login?.toISOString() ?? null,
  signs_in_by: user.signs_in_by,
  second_factor: Boolean(user.second_factor_at),
  metadata: user.metadata,
});

export const serializeLogin = ({ token, user }: OpenedSession): SessionResponse => ({
  access_token: token,
  token_type: 'bearer',
  user: serializeAdminUser(user),
});

export const serializeAuditEntry = (entry: AuditRow): AuditEntryResponse => ({
  audit_id: entry.audit_id,
  ...(entry.user_id ? { user_id: entry.user_id, user_name: entry.user_name } : {}),
  action: entry.action,
  resource_type: entry.resource_type,
  resource_id: entry.resource_id ?? null,
  details: entry.details,
  ip_address: entry.ip_address ?? null,
  created_at: entry.created_at.toISOString(),
});
