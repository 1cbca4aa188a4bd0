import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { generateVirtualKey } from '../../auth/virtual-key-format.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { VirtualKey } from '../../db/entities/virtual-key.ts';
import { endCurrentKey, endOfRotation } from '../../db/keys/end-current-key.ts';
import { findSealedKey } from '../../db/keys/find-sealed-key.ts';
import { findUpstreamTeam } from '../../db/upstream-teams/find-upstream-team.ts';
import { recordUpstreamChange } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import { toUpstreamTeam } from '../../litellm/registration-requests.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam, requireOwnTeam } from './read-teams.ts';

export interface RotatedKey {
  virtualKey: string;
  previousKeyExpiresAt: Date;
}

/** Gives a team a new key. The previous one, and at the latest any key before it, ends after `graceSeconds`. */
export async function rotateKey(context: ServiceContext, team_id: string, graceSeconds: number): Promise<RotatedKey> {
  const { deps } = context;
  await requireOwnTeam(context, team_id);
  const row = await findUpstreamTeam(deps.database, team_id);
  if (!row) throw refuse('team_has_no_key', team_id);

  // The upstream gets the new key before any client does; if the process dies in between, the same request finds the key there.
  const virtualKey = await keyOfOperation(context);
  // The key before it is not opened: after a loss of MASTER_KEY nothing opens it, and a rotation is what helps.
  await deps.registration.addKey(toUpstreamTeam(row, deps.secrets, virtualKey));
  const rotation = {
    team_id,
    key_hash: deps.secrets.lookupHash(virtualKey),
    key_sealed: deps.secrets.seal(virtualKey, team_id),
    graceSeconds,
    auditId: context.newId('audit'),
  };
  const previousKeyExpiresAt = await deps.database.transaction((entities) => replaceKey(entities, context, rotation));
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
  return { virtualKey, previousKeyExpiresAt };
}

/** The key that this operation issues, or has issued under the previous MASTER_KEY, before its process died. */
async function keyOfOperation({ deps: { secrets, database }, newId }: ServiceContext): Promise<string> {
  const operationId = newId('virtual_key');
  const previousSeed = secrets.previousKeySeed(operationId);
  const issued = previousSeed && generateVirtualKey(previousSeed);
  if (issued && (await findSealedKey(database, secrets.lookupHashes(issued)))) return issued;
  return generateVirtualKey(secrets.keySeed(operationId));
}

interface KeyRotation {
  team_id: string;
  key_hash: Buffer;
  key_sealed: Buffer;
  graceSeconds: number;
  /** The same when the request is executed again: it rotates once. */
  auditId: string;
}

/** Makes the new key the team's key, and returns when the previous one ends. */
async function replaceKey(
  entities: SqlEntityManager,
  context: ServiceContext,
  { team_id, key_hash, key_sealed, graceSeconds, auditId }: KeyRotation,
): Promise<Date> {
  await requireLockedTeam(entities, team_id);
  const earlier = await endOfRotation(entities, auditId);
  if (earlier) return earlier;
  const end = await endCurrentKey(entities, team_id, graceSeconds);
  if (!end) throw refuse('team_has_no_key', team_id);
  await entities.insert(VirtualKey, { key_hash, team_id, key_sealed });
  await recordUpstreamChange(entities, team_id);
  const details = { previous_key_expires_at: end.toISOString() };
  const change = { action: 'rotated_key', resource_type: 'team', resource_id: team_id, details };
  await writeAuditEntry(entities, context, change, auditId);
  return end;
}
