import { z } from 'zod';
import { AuditEntryResponse, AuditQuery } from '../../../contracts/admin-users.ts';
import { boundsOf } from '../../../contracts/date-range.ts';
import { type AuditRow, listAuditEntries as list } from '../../../db/audit/list-audit-entries.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';

const serializeAuditEntry = (entry: AuditRow): AuditEntryResponse => ({
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
    access: { audience: ['admin_user'] },
    limits: { place: 'lists' },
    query: AuditQuery,
    response: z.array(AuditEntryResponse),
    responseHeaders: Object.values(pageHeaders),
    csv: { name: 'audit-log', row: AuditEntryResponse, rows: (entries) => entries },
  },
  async (context) => {
    const { deps, query } = context;
    const page = await list(deps.database, { ...query, ...boundsOf(query) }, query);
    setPageHeaders(context, page);
    return page.rows.map(serializeAuditEntry);
  },
);
