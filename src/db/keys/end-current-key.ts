import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

const endSql = unnamed(`
  with current as (
    select team_id, clock_timestamp() + make_interval(secs => :grace_seconds) as ends_at
      from virtual_keys where team_id = :team_id and expires_at is null
  ), ended as (
    update virtual_keys k set expires_at = current.ends_at, end_sent_upstream = false
      from current where k.team_id = current.team_id and (k.expires_at is null or k.expires_at > current.ends_at)
  )
  select ends_at from current`);

/**
 * Ends the key by the database's clock, which keys are checked by. Keys that are still valid from an earlier rotation end by then
 * too. Undefined if the team has no key.
 */
export async function endCurrentKey(
  entities: SqlEntityManager,
  teamId: string,
  graceSeconds: number,
): Promise<Date | undefined> {
  const values = { team_id: teamId, grace_seconds: graceSeconds };
  const [key] = await executeIn<{ ends_at: string }>(entities, endSql, values);
  return key && new Date(key.ends_at);
}

const endPreviousSql = unnamed(`
  with ended as (
    update virtual_keys set expires_at = clock_timestamp(), end_sent_upstream = false
     where team_id = :team_id and expires_at > clock_timestamp()
    returning key_hash
  )
  select count(*)::int as ended from ended`);

/** Ends the keys that serve on from earlier rotations. Returns how many. */
export async function endPreviousKeys(entities: SqlEntityManager, teamId: string): Promise<number> {
  const [row] = await executeIn<{ ended: number }>(entities, endPreviousSql, { team_id: teamId });
  return row!.ended;
}

const previousEndSql = unnamed(
  `select details ->> 'previous_key_expires_at' as previous_end from audit_log where audit_id = :audit_id`,
);

/** The end that a rotation with this audit entry has set: the same request, whose process died before it could answer. */
export async function endOfRotation(entities: SqlEntityManager, auditId: string): Promise<Date | undefined> {
  const [entry] = await executeIn<{ previous_end: string }>(entities, previousEndSql, { audit_id: auditId });
  return entry && new Date(entry.previous_end);
}
