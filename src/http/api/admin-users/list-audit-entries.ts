import { z } from 'zod';
import { AuditEntryResponse, AuditQuery } from '../../../contracts/admin-users.ts';
import { listAuditEntries as list } from '../../../services/admin-users/read-admin-users.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeAuditEntry } from './serialize-admin-user.ts';

export const listAuditEntries = route(
  {
    operationId: 'listAuditEntries',
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
    const page = await list(context, context.query);
    setPageHeaders(context, page);
    return page.rows.map(serializeAuditEntry);
  },
);
