import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { endPreviousKeys as end } from '../../db/keys/end-current-key.ts';
import { recordUpstreamChange } from '../../db/upstream-teams/record-change.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam, requireOwnTeam } from '../teams/read-teams.ts';

/** Ends the keys that serve on after rotations, with their sessions. Returns how many there were; nothing changes without one. */
export async function endPreviousKeys(context: ServiceContext, team_id: string): Promise<number> {
  const { deps } = context;
  await requireOwnTeam(context, team_id);
  const ended = await deps.database.transaction(async (entities) => {
    await requireLockedTeam(entities, team_id);
    const count = await end(entities, team_id);
    if (count === 0) return 0;
    await recordUpstreamChange(entities, team_id);
    const change = { action: 'ended_previous_keys', resource_type: 'team', resource_id: team_id };
    await writeAuditEntry(entities, context, { ...change, details: { ended: count } });
    return count;
  });
  if (ended > 0) {
    deps.changes.publish('teams', { team_id });
    await syncTeams(deps, [team_id]);
  }
  return ended;
}
