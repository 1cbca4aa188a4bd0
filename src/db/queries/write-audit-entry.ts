import { randomUUID } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Actor, audit, auditEntry, type Change } from '../audit.ts';

const sql = `with made as (select) ${audit('made', '?')} on conflict (audit_id) do nothing`;

/**
 * Writes the entry in the transaction that makes the change, so that neither exists without the other. With an `auditId` from
 * `newId`, the entry also proves that this very request was carried out. An existing entry stays.
 */
export async function writeAuditEntry(
  entities: SqlEntityManager,
  actor: Actor,
  change: Change,
  auditId: string = randomUUID(),
): Promise<void> {
  await entities.execute(sql, [auditEntry(auditId, actor, change)]);
}
