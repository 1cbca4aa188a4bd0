import type { TeamKeyUpdate } from '../../contracts/keys.ts';
import { TeamKey } from '../../db/entities/team-key.ts';
import { findTeamKey, type TeamKeyRow } from '../../db/keys/list-team-keys.ts';
import { namedFields } from '../../domain/named-fields.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam, requireOwnTeam } from '../teams/read-teams.ts';
import { auditKey, expiry, requireFreeName } from './key-changes.ts';

/** Changes the named fields of a further key, and returns it as it is then. Null removes an end, a limit or its reset. */
export async function changeKey(
  context: ServiceContext,
  team_id: string,
  key_id: string,
  { name, credit_limit, limit_reset, expires_at }: TeamKeyUpdate,
): Promise<TeamKeyRow> {
  const { database, changes } = context.deps;
  await requireOwnTeam(context, team_id);
  await database.transaction(async (entities) => {
    // The team is locked, so that no other key gets the name meanwhile.
    await requireLockedTeam(entities, team_id);
    const key = await entities.findOne(TeamKey, { team_id, key_id });
    if (!key) throw refuse('key_not_found', key_id);
    if (typeof name === 'string') await requireFreeName(entities, { team_id, key_id, name });
    const end = await expiry(entities, expires_at);
    const changed = namedFields({ name: name ?? undefined, credit_limit, limit_reset, expires_at: end });
    entities.assign(key, changed);
    await entities.flush();
    await auditKey(entities, context, 'changed_key', key, changed);
  });
  changes.publish('teams', { team_id });
  const changed = await findTeamKey(database, key_id);
  if (!changed) throw refuse('key_not_found', key_id);
  return changed;
}
