import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { generateVirtualKey, maskKey } from '../../auth/virtual-key-format.ts';
import type { TeamKeyCreation } from '../../contracts/keys.ts';
import { TeamKey } from '../../db/entities/team-key.ts';
import { maxKeysOfTeam } from '../../domain/key-limit.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam, requireOwnTeam } from '../teams/read-teams.ts';
import { auditKey, expiry, requireFreeName } from './key-changes.ts';

export interface CreatedKey {
  key: TeamKey;
  virtualKey: string;
}

/** Gives a team one key more. A request that is executed again finds the key that it has made. */
export async function createKey(
  context: ServiceContext,
  team_id: string,
  creation: TeamKeyCreation,
): Promise<CreatedKey> {
  const { database, secrets, changes } = context.deps;
  await requireOwnTeam(context, team_id);
  const key = await database.transaction(async (entities) => {
    // The team is locked, so that creations at once count each other.
    await requireLockedTeam(entities, team_id);
    const key_id = context.newId('key');
    return (await entities.findOne(TeamKey, { key_id })) ?? makeKey(entities, context, { key_id, team_id, creation });
  });
  changes.publish('teams', { team_id });
  return { key, virtualKey: secrets.open(Buffer.from(key.key_sealed), team_id) };
}

async function makeKey(
  entities: SqlEntityManager,
  context: ServiceContext,
  { key_id, team_id, creation }: { key_id: string; team_id: string; creation: TeamKeyCreation },
): Promise<TeamKey> {
  const { secrets } = context.deps;
  const { name, credit_limit = null, limit_reset = null } = creation;
  const expires_at = (await expiry(entities, creation.expires_at)) ?? null;
  await requireFreeName(entities, { team_id, key_id, name });
  if ((await entities.count(TeamKey, { team_id })) >= maxKeysOfTeam)
    throw refuse('keys_at_most', team_id, String(maxKeysOfTeam));
  const virtualKey = generateVirtualKey(secrets.keySeed(context.newId('virtual_key')));
  const key = entities.create(TeamKey, {
    key_id,
    team_id,
    name,
    key_hash: secrets.lookupHash(virtualKey),
    key_sealed: secrets.seal(virtualKey, team_id),
    key_hint: maskKey(virtualKey),
    expires_at,
    credit_limit,
    limit_reset,
  });
  await entities.persist(key).flush();
  await auditKey(entities, context, 'created_key', key, { expires_at, credit_limit, limit_reset });
  return key;
}
