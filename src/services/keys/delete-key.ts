import { TeamKey } from '../../db/entities/team-key.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam, requireOwnTeam } from '../teams/read-teams.ts';
import { auditKey } from './key-changes.ts';

/** Deletes a further key with the sessions that were opened with it. Its jobs stay as they are. */
export async function deleteKey(context: ServiceContext, team_id: string, key_id: string): Promise<void> {
  const { database, changes } = context.deps;
  await requireOwnTeam(context, team_id);
  await database.transaction(async (entities) => {
    await requireLockedTeam(entities, team_id);
    const key = await entities.findOne(TeamKey, { team_id, key_id });
    if (!key) throw refuse('key_not_found', key_id);
    await entities.nativeDelete(TeamKey, { key_id });
    await auditKey(entities, context, 'deleted_key', key);
  });
  changes.publish('teams', { team_id });
}
