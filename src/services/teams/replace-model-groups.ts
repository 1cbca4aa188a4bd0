import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { replaceGroups } from '../../db/teams/replace-groups.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam } from './read-teams.ts';
import { withGrants } from './with-grants.ts';

/** Replaces the model groups of a team by those of these names. */
export async function replaceModelGroups(
  context: ServiceContext,
  team_id: string,
  model_groups: readonly string[],
): Promise<void> {
  const { deps } = context;
  await withGrants(deps.database, model_groups, [], ({ modelGroupIds }) =>
    deps.database.transaction(async (entities) => {
      await requireLockedTeam(entities, team_id);
      await replaceGroups(entities, team_id, { modelGroupIds });
      await writeAuditEntry(entities, context, {
        action: 'updated_team_model_groups',
        resource_type: 'team',
        resource_id: team_id,
        details: { model_groups },
      });
    }),
  );
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
}
