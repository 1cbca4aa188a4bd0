import { randomUUID } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../../http/caller.ts';

/** Who did it and from where: a handler's context is one. */
export interface Actor {
  caller: Caller;
  ip: string;
}

/** `interface.md`, "Audit actions", and the same for every other change (`rulings.md` 12). Details never hold a secret. */
export interface Change {
  /** A verb and a noun: `created_team`. */
  action: string;
  /** `team`, `model_group`, … */
  resource_type: string;
  resource_id: string;
  details?: Record<string, unknown>;
}

/**
 * Writes the entry in the transaction that makes the change, so that neither is there without the other. An entry has
 * the user's id only for a user with a session: the platform key is nobody. With an `auditId` from `newId`, the entry
 * also says that this very request was carried out.
 */
export async function writeAuditEntry(
  entities: SqlEntityManager,
  { caller, ip }: Actor,
  change: Change,
  auditId: string = randomUUID(),
): Promise<void> {
  await entities.execute(
    `insert into audit_log (audit_id, user_id, action, resource_type, resource_id, details, ip_address)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [
      auditId,
      caller.kind === 'user' ? caller.userId : null,
      change.action,
      change.resource_type,
      change.resource_id,
      JSON.stringify(change.details ?? {}),
      ip || null,
    ],
  );
}
