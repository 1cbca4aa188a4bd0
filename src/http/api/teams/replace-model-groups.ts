import { ChangedModelGroups, ModelGroupsOfTeam, TeamParams } from '../../../contracts/teams.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { lockTeam } from '../../../db/teams/lock-team.ts';
import { replaceGroups } from '../../../db/teams/replace-groups.ts';
import { withGrants } from '../../../db/teams/resolve-grants.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';

export const replaceModelGroups = route(
  {
    method: 'put',
    path: '/api/teams/{team_id}/model-groups',
    summary: 'Replace the model groups of a team',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: ModelGroupsOfTeam },
    response: ChangedModelGroups,
    errors: ['team_not_found', 'model_group_not_found'],
    example: { response: { message: "Model groups of team 'acme-research' updated successfully" } },
  },
  async (context) => {
    const { deps, params, body } = context;
    const { team_id } = params;
    const { model_groups } = body;
    const change = {
      action: 'updated_team_model_groups',
      resource_type: 'team',
      resource_id: team_id,
      details: { model_groups },
    };
    await withGrants(deps.database, model_groups, [], ({ modelGroupIds }) =>
      deps.database.transaction(async (entities) => {
        await lockTeam(entities, team_id);
        await replaceGroups(entities, team_id, { modelGroupIds });
        await writeAuditEntry(entities, context, change);
      }),
    );
    deps.changes.publish('teams', { team_id });
    await syncTeams(deps, [team_id]);
    return { team_id, model_groups, message: `Model groups of team '${team_id}' updated successfully` };
  },
);
