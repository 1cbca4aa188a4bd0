import type { TimeRange } from '../../domain/time/whole-days.ts';
import type { Database } from '../connection/database.ts';
import type { AuditEntry } from '../entities/audit-entry.ts';
import { oneContains } from '../sql/contains.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { userName } from './user-name.ts';

export interface AuditSelection extends TimeRange {
  user_id?: string | undefined;
  action?: string | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  q?: string | undefined;
}

export type AuditRow = Omit<AuditEntry, 'position'> & { user_name: string | null };

const conditions = {
  user_id: 'user_id = :user_id',
  action: 'action = :action',
  resource_type: 'resource_type = :resource_type',
  resource_id: 'resource_id = :resource_id',
  q: oneContains(['action', 'resource_type', 'resource_id', 'ip_address']),
  from: 'created_at >= :from',
  before: 'created_at < :before',
};

const keyset = {
  name: 'audit_log',
  columns: [{ sql: 'position', type: 'bigint', direction: 'desc' }],
} as const;

/** Lists the newest entries first, in the order of writing. */
export function listAuditEntries(database: Database, { q, ...selection }: AuditSelection, page: KeysetPage) {
  const values = { ...selection, q };
  const names = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    (name) => (values[name] ?? null) !== null,
  );
  const where = names.map((name) => conditions[name]).join(' and ') || 'true';
  return readKeysetPage<AuditRow>(
    database,
    {
      columns: `audit_id, user_id, action, resource_type, resource_id, details, ip_address, created_at, ${userName('audit_log')}`,
      keyset,
      from: (after) => `audit_log where ${where} and ${after}`,
      count: `select count(*) as total from audit_log where ${where}`,
    },
    Object.fromEntries(names.map((name) => [name, values[name]])),
    page,
  );
}
