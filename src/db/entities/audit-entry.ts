import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Entries are only read here: the statements of `src/db/audit/write-audit-entry.ts` insert them, and the database refuses changes. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    audit_id: p.uuid().primary(),
    /** The position in the order of writing. */
    position: p.bigint('number'),
    user_id: p.uuid().nullable(),
    action: p.text(),
    resource_type: p.text(),
    resource_id: p.text().nullable(),
    details: p.json<Record<string, unknown>>(),
    ip_address: p.text().nullable(),
    created_at: p.datetime(3),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;
