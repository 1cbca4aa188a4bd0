import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { refuse } from '../../errors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { writeAuditEntry } from '../audit/audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { VirtualKey } from '../entities/virtual-key.ts';
import { unnamed } from '../sql/statement.ts';
import { lockTeam } from '../teams/lock-team.ts';
import { recordUpstreamChange } from '../upstream-teams/record-change.ts';

export interface KeyRotation {
  team_id: string;
  key_hash: Buffer;
  key_sealed: Buffer;
  /** How long the previous key stays valid, and at most any key before it. */
  grace_seconds: number;
  /** The same when the request is executed again: it rotates once. */
  audit_id: string;
}

/** Makes the new key the team's key, and returns when the previous one ends. */
export const rotateKey = (database: Database, actor: Actor, rotation: KeyRotation): Promise<Date> =>
  database.transaction(async (entities) => {
    const { team_id, key_hash, key_sealed, grace_seconds, audit_id } = rotation;
    await lockTeam(entities, team_id);
    const earlier = await endOfEarlier(entities, rotation);
    if (earlier) return earlier;
    const end = await endCurrentKey(entities, team_id, grace_seconds);
    await entities.insert(VirtualKey, { key_hash, team_id, key_sealed });
    await recordUpstreamChange(entities, team_id);
    const details = { previous_key_expires_at: end.toISOString() };
    const change = { action: 'rotated_key', resource_type: 'team', resource_id: team_id, details };
    await writeAuditEntry(entities, actor, change, audit_id);
    return end;
  });

const endSql = unnamed(`
  with current as (
    select team_id, clock_timestamp() + make_interval(secs => :grace_seconds) as ends_at
      from virtual_keys where team_id = :team_id and expires_at is null
  ), ended as (
    update virtual_keys k set expires_at = current.ends_at, end_sent_upstream = false
      from current where k.team_id = current.team_id and (k.expires_at is null or k.expires_at > current.ends_at)
  )
  select ends_at from current`);

/** By the database's clock, which keys are checked by. Keys that are still valid from an earlier rotation end by then too. */
async function endCurrentKey(entities: SqlEntityManager, teamId: string, graceSeconds: number): Promise<Date> {
  const [key] = await executeIn<{ ends_at: string }>(entities, endSql, {
    team_id: teamId,
    grace_seconds: graceSeconds,
  });
  if (!key) throw refuse('team_has_no_key', teamId);
  return new Date(key.ends_at);
}

const previousEndSql = unnamed(
  `select details ->> 'previous_key_expires_at' as previous_end from audit_log where audit_id = :audit_id`,
);

/** The end set by an earlier rotation of the same request, whose process died before it could answer. */
async function endOfEarlier(entities: SqlEntityManager, { audit_id }: KeyRotation): Promise<Date | undefined> {
  const [entry] = await executeIn<{ previous_end: string }>(entities, previousEndSql, { audit_id });
  return entry && new Date(entry.previous_end);
}
