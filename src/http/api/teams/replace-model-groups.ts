import { ChangedModelGroups, ModelGroupsOfTeam, TeamParams } from '../../../contracts/teams.ts';
import { replaceModelGroups as replace } from '../../../services/teams/replace-model-groups.ts';
import { route } from '../../route.ts';

export const replaceModelGroups = route(
  {
    operationId: 'replaceTeamModelGroups',
    method: 'put',
    path: '/api/teams/{team_id}/model-groups',
    summary: 'Replace the model groups of a team',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: ModelGroupsOfTeam },
    response: ChangedModelGroups.meta({
      example: { message: "Model groups of team 'acme-research' updated successfully" },
    }),
    errors: ['team_not_found', 'model_group_not_found'],
  },
  async (context) => {
    const { team_id } = context.params;
    const { model_groups } = context.body;
    await replace(context, team_id, model_groups);
    return { team_id, model_groups, message: `Model groups of team '${team_id}' updated successfully` };
  },
);
