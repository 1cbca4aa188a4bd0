import { randomUUID } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

/** Who made the change or received a secret, and from which address: a handler's context is one. */
export interface Actor {
  caller:
    | { kind: 'user'; userId: string }
    | { kind: 'team'; teamId: string; viewer?: { userId: string } }
    | { kind: 'anonymous' | 'platform' };
  ip: string;
}

/** One of `spec 12.11`. Details never hold a secret. */
export interface Change {
  /** A verb and a noun: `created_team`. */
  action: string;
  /** `team`, `model_group`, … */
  resource_type: string;
  resource_id: string;
  details?: Record<string, unknown>;
}

/**
 * The audit entry of a change that is one statement: `source` is the CTE that has a row when the change was made, and
 * `:audit_entry` is from `auditEntry`. For changes of several statements there is `writeAuditEntry`.
 */
export const audit = (source: string) => `
  insert into audit_log (audit_id, user_id, action, resource_type, resource_id, details, ip_address)
  select e.audit_id, e.user_id, e.action, e.resource_type, e.resource_id, e.details, e.ip_address
    from ${source}, json_to_record(:audit_entry::json) as e
         (audit_id uuid, user_id uuid, action text, resource_type text, resource_id text, details jsonb, ip_address text)`;

/**
 * The same for what can be repeated at will, such as a sign-in: no row of the table can ever be deleted, so an entry is not written
 * again within a minute. It is the same if all but its time is.
 */
export const auditOnceAMinute = (source: string) => `${audit(source)}
   where not exists (
     select from (select * from audit_log a where a.resource_type = e.resource_type and a.resource_id = e.resource_id
                   order by a.position desc limit 50) latest
      where latest.created_at > clock_timestamp() - interval '1 minute' and latest.action = e.action
        and latest.user_id is not distinct from e.user_id and latest.ip_address is not distinct from e.ip_address
        and latest.details = e.details)`;

/**
 * JSON for `:audit_entry`. `auditId` is the same when the request is executed again. Only a user with a session
 * has an id; a team is named in the details, and the platform key has no name.
 */
export const auditEntry = (auditId: string, { caller, ip }: Actor, change: Change): string =>
  JSON.stringify({
    audit_id: auditId,
    user_id: (caller.kind === 'team' ? caller.viewer : caller.kind === 'user' ? caller : undefined)?.userId ?? null,
    ...change,
    details: {
      ...change.details,
      ...(caller.kind === 'team' && { caller: caller.viewer ? 'team_view' : 'team', team_id: caller.teamId }),
    },
    ip_address: ip || null,
  });

const sql = unnamed(`with change as (select) ${audit('change')} on conflict (audit_id) do nothing`);

/**
 * Writes the entry in the transaction that makes the change, so that neither exists without the other. With an `auditId` from
 * `newId`, the entry also proves that this very request was executed. An existing entry stays.
 */
export async function writeAuditEntry(
  entities: SqlEntityManager,
  actor: Actor,
  change: Change,
  auditId: string = randomUUID(),
): Promise<void> {
  await executeIn(entities, sql, { audit_entry: auditEntry(auditId, actor, change) });
}

const onceAMinuteSql = unnamed(`with change as (select) ${auditOnceAMinute('change')}`);

/** The same with `auditOnceAMinute`. */
export async function writeRepeatableEntry(entities: SqlEntityManager, actor: Actor, change: Change): Promise<void> {
  await executeIn(entities, onceAMinuteSql, { audit_entry: auditEntry(randomUUID(), actor, change) });
}
