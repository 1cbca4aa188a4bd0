import { z } from 'zod';
import { AuditEntryAnswer, AuditQuery } from '../../../contracts/admin-users.ts';
import { AuditEntry } from '../../../db/entities/audit-entry.ts';
import { route } from '../../route.ts';
import { namedFields } from '../../validation/named-fields.ts';

const serializeAuditEntry = (entry: AuditEntry): AuditEntryAnswer => ({
  audit_id: entry.audit_id,
  ...(entry.user_id ? { user_id: entry.user_id } : {}),
  action: entry.action,
  resource_type: entry.resource_type,
  resource_id: entry.resource_id ?? null,
  details: entry.details,
  ip_address: entry.ip_address ?? null,
  created_at: entry.created_at.toISOString(),
});

export const listAuditEntries = route(
  {
    method: 'get',
    path: '/api/admin-users/audit-logs',
    summary: 'Read the audit log, newest first',
    tag: 'Admin users',
    auth: ['admin_user'],
    quota: 'lists',
    query: AuditQuery,
    response: z.array(AuditEntryAnswer),
  },
  async ({ deps, query: { limit, offset, user_id, action } }) => {
    const page = { orderBy: { position: 'desc' }, limit, offset } as const;
    const entries = await deps.database.reports.snapshot((entities) =>
      entities.find(AuditEntry, namedFields({ user_id, action }), page),
    );
    return entries.map(serializeAuditEntry);
  },
);
